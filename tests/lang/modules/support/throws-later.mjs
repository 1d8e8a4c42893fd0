await null;
throw new RangeError('failed later');
