export const __esModule = true;
export default 7;
