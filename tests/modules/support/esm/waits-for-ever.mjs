await new Promise(() => { });
