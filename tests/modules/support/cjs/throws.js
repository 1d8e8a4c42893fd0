globalThis.loads = (globalThis.loads ?? 0) + 1;
exports.x = 1;
throw new Error("no");
