module.exports = "index";
