export * from './star-a.mjs';
export * from './star-b.mjs';
export * as inner from './star-b.mjs';
export { default as renamed, a as default } from './star-a.mjs';
export const own = 'own';
