import { late } from "./cycle-early.mjs";
console.log(late);
