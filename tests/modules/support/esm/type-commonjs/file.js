module.exports = typeof require;
