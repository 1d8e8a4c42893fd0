console.log('4');
