exports.a = exports.b = 1;
module.exports.c = 2;
exports["d e"] = 3;
(function (e) { e.hidden = 1; exports.inside = 4; })(exports);
const alias = exports;
alias.unseen = 5;
exports.a += 1;
