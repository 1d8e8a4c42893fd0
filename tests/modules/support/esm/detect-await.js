const value = await "waited";
console.log(value, typeof module);
