exports.a = ;
