import "../cjs/requires-module.cjs";
export const x = 1;
