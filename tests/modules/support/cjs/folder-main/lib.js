module.exports = "lib";
