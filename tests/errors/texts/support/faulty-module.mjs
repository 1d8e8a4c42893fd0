export const a = 1;
export const list = [a 2];
