globalThis.loads = (globalThis.loads ?? 0) + 1;
export const x = 1;
throw new Error("no");
