export const a = 'a', shared = 'a';
export default 'default of a';
