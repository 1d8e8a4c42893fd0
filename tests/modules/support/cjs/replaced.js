module.exports = function replaced() { };
return;
throw 1;
