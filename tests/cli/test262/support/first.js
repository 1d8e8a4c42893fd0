const c = 3;
function fromInclude() {
    return 10;
}
