// first line
import { x, missing } from "./data.mjs";
