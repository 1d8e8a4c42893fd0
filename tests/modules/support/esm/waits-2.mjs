console.log("second waits");
await 0;
await 0;
console.log("second waited");
