exports.early = 1;
exports.other = require("./cycle-b");
exports.done = true;
