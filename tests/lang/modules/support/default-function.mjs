console.log(typeof named, named.name);
export default function named() {
    named = 5;
    return 'called';
}
