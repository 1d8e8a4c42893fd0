import { nothing } from './counter.mjs';
