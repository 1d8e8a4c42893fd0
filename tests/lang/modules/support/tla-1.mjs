console.log('1 begins');
await null;
console.log('1 goes on');
await null;
export const one = 1;
console.log('1 ends');
