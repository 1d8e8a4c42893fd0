console.log(this, typeof require, import.meta?.url.slice(0, 4));
