console.log(this, typeof require);
