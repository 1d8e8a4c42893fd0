await null;
throw new TypeError("rejected later");
