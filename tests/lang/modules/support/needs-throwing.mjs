import './throws.mjs';
console.log('never');
