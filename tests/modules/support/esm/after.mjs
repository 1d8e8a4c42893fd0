import "./waits.mjs";
import "./waits-2.mjs";
console.log("after both");
