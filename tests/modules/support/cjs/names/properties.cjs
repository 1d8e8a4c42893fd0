const q = { a: 1 };
Object.defineProperty(exports, "__esModule", { value: true });
Object.defineProperty(exports, "value", { value: 1 });
Object.defineProperty(exports, "getter", { enumerable: true, get: function () { return q.a; } });
Object.defineProperty(exports, "method", { enumerable: true, get() { return q.a; } });
Object.defineProperty(exports, "arrow", { enumerable: true, get: () => q.a });
Object.defineProperty(exports, "computed", { enumerable: true, get: function () { return 5; } });
exports.default = "real default";
