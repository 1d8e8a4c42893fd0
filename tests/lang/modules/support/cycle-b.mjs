import { fromA, value, variable, Thing } from './cycle-a.mjs';
import * as a from './cycle-a.mjs';
console.log(fromA(), variable);
for (const read of [() => value, () => typeof value, () => new Thing(), () => a.value, () => a.Thing, () => Object.keys(a)]) {
    try {
        console.log(read());
    } catch (error) {
        console.log(error.name + ': ' + error.message);
    }
}
console.log('value' in a, a.fromA(), a.variable, a.nothing);
console.log(a);
export function hoisted() {
    return typeof later;
}
export const later = 'later';
