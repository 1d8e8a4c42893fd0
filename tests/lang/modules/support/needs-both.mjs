import './slow.mjs';
import './fails-async.mjs';
console.log('never');
