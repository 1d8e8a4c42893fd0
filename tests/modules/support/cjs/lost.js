exports.lost = 1;
exports = { x: 2 };
