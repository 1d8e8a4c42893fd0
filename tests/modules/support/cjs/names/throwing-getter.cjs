exports.fine = 1;
exports.gone = 2;
delete exports.gone;
exports.bad = 3;
Object.defineProperty(exports, "bad", { enumerable: true, get() { throw new Error("never seen"); } });
