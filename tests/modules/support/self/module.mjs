const tell = async request => {
    try {
        return (await import(request)).default;
    } catch (e) {
        return e.code + " " + e.message.replaceAll(import.meta.dirname, "DIR").split("\n")[0];
    }
};
export default await Promise.all(
    ["self/impl", "#impl", "#any/impl", "#plain", "#none", "#", "#/x", "#any/../x", "#up", "self/none", "selfish"].map(tell));
