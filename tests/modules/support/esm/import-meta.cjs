console.log(typeof
    import.meta.url);
