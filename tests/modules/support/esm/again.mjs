export * from "./counter.mjs";
export * as counter from "./counter.mjs";
export { default as renamed } from "./counter.mjs";
