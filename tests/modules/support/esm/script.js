module.exports = typeof require + " " + (this === module.exports);
