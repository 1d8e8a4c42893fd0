var __exportStar = function (m, e) { for (var p in m) e[p] = m[p]; };
__exportStar(require("./assignments.cjs"), exports);
var _other = require("./annotated.cjs");
Object.keys(_other).forEach(function (key) {
    if (key === "default" || key === "__esModule") return;
    exports[key] = _other[key];
});
