const made = { one: 1, two: 2 };
module.exports = made;
0 && (module.exports = { one, two });
