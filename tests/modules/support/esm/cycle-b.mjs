import { a, hoisted } from "./cycle-a.mjs";
export const b = hoisted();
export const readA = () => a;
