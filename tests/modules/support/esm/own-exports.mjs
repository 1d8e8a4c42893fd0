const value = { own: true };
export { value as "module.exports" };
export default 1;
