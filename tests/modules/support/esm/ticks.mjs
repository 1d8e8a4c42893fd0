process.nextTick(() => console.log("inner tick"));
Promise.resolve().then(() => console.log("inner microtask"));
console.log("inner body");
