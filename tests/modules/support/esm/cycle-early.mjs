import "./cycle-early-2.mjs";
export const late = 1;
