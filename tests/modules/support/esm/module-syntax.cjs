import "./data.mjs";
