import { b, readA } from "./cycle-b.mjs";
export const a = "a";
export function hoisted() { return "hoisted"; }
export { b, readA };
