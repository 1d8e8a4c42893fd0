// A module whose namespace is among the values.
export const first = 1, second = "two", list = [1, 2, { three: [3] }];
export function call() {}
export class Shape {}
export default { a: 1 };
export { first as "quoted name" };
