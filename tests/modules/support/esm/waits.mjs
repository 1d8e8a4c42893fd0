console.log("waits");
await null;
console.log("waited");
export default "value";
