export const b = 'b', shared = 'b', own = 'b';
