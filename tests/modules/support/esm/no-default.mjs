export const only = import.meta.url.slice(-14);
