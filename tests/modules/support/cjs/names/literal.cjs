const a = 1, b = 2;
module.exports = { a, renamed: b, "quoted": a, ...require("./assignments.cjs"), yes: true, stops: 1, unseen: a };
