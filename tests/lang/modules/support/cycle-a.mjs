import { hoisted, later } from './cycle-b.mjs';
export function fromA() {
    return 'a';
}
export let value = 'value of a';
export var variable = 'variable of a';
export class Thing {}
console.log(hoisted(), later);
