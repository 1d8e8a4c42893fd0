console.log("ran")
