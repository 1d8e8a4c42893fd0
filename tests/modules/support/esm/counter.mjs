export let count = 0;
export const increment = () => ++count;
export default function named() { return "default"; }
export { count as alias, increment as "any name" };
