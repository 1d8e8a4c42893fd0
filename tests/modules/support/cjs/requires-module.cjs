try {
    require("../esm/requires-back.mjs");
} catch (e) {
    console.log(e.code, e.message.replaceAll(__dirname.slice(0, -4), "DIR"));
}
