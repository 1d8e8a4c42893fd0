import "./none.mjs";
