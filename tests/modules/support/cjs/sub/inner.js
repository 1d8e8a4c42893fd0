exports.dual = require("dual");
exports.file = __filename;
