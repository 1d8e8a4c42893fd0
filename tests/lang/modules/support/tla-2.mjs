console.log('2 begins');
await null;
export const two = 2;
console.log('2 ends');
