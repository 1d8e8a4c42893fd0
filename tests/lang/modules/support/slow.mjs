await null;
await null;
console.log('slow ends');
