export const a = 1;
export default 2;
export { a as "x-y" };
