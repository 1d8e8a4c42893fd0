const a = require("./cycle-a");
exports.saw = { ...a };
