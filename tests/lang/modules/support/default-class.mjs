export default class {
    static method() {
        return this.name;
    }
}
