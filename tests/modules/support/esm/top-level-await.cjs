const lines = 1;
const timers = await import("node:timers");
console.log(lines, timers);
