module.exports = function f() { return "called"; };
module.exports.extra = 1;
module.exports.default = "shadowed";
