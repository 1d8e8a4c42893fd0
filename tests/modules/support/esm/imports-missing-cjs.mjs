import { missing } from "../cjs/replaced.js";
