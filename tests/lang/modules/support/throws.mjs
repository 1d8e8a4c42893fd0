console.log('evaluated once');
export const before = 1;
throw new Error('failed');
