await null;
throw new Error('failed');
