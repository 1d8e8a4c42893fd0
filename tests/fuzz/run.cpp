// Fuzzes the whole way: parse, compile, run in an engine of its own under limits, and then the loop's turns that are
// due. Anything may happen to the script; the engine must come back. The last byte chooses how: collections at every
// allocation, a small stack, a small heap, or none of these (a line feed, as the seeds end).
#include "interp/host/engine.h"
#include "runtime/core/vm.h"
#include "tests/fuzz/libfuzzer.h"
#include "tests/fuzz/mutator.h"
#include <cstring>

using namespace scr;

namespace {

EngineLimits limitsFor(u8 choice) {
    EngineLimits limits;
    limits.memoryBytes = size_t(choice & 4 ? 4 : 48) << 20;
    limits.stackBytes = choice & 2 ? 24 * 1024 : 200 * 1024;
    // A collection at every allocation of a growing heap is quadratic: little work is enough.
    limits.fuel = choice & 1 ? 3000 : 400000;
    return limits;
}

}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    u8 choice = size ? data[size - 1] : 0;
    bool plain = choice == '\n';
    Engine engine(limitsFor(plain ? 0 : choice));
    bool stress = !plain && choice & 1;
    if (stress)
        engine.setGcStress(choice & 8 ? 1 : 7);
    Vm& vm = engine.vm();
    std::string text(reinterpret_cast<const char*>(data), size ? size - 1 : 0);
    (void)engine.dumpBytecode(text, "fuzz.scr");
    Outcome outcome = engine.evaluate(text, "fuzz.scr");
    CHECK(outcome.status != RunStatus::Threw || !outcome.message.empty());
    // Timers that are due at once, and immediates; never a wait.
    for (u32 turn = 0; turn < 8 && engine.turnLoop() == 0; turn++) { }
    vm.heap.collect();
    return 0;
}

int LLVMFuzzerInitialize(int* argc, char*** argv) {
    scr::fuzz::fillBank(*argc, *argv);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t limit, unsigned seed) {
    std::string text(reinterpret_cast<char*>(data), size);
    if (text.empty())
        text = "\n";
    u8 choice = u8(text.back());
    text.pop_back();
    if (seed % 16 == 0)
        choice = u8(seed >> 8);
    text = scr::fuzz::mutate(std::move(text), limit - 1, seed);
    text += char(choice);
    memcpy(data, text.data(), text.size());
    return text.size();
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t* first, size_t firstSize, const uint8_t* second, size_t secondSize,
    uint8_t* out, size_t limit, unsigned seed) {
    return scr::fuzz::crossOver(first, firstSize, second, secondSize, out, limit, seed);
}
