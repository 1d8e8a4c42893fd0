module.exports = "impl";
