export function then(resolve) {
    resolve('a namespace with then is a thenable');
}
