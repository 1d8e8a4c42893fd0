let x;
let x;
