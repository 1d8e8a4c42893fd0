module.exports = require("./assignments.cjs");
