import { one } from './tla-1.mjs';
console.log('3', one);
