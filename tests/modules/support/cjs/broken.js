exports.x = 1;
let y = ;
