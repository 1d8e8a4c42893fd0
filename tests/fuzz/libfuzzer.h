// What libFuzzer calls, and what it offers. A fuzzer defines the first function, and the others where it needs them.
#pragma once
#include <cstddef>
#include <cstdint>

extern "C" {
/// One input. Whatever is wrong ends the process: a failed CHECK, a sanitizer's report.
int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
int LLVMFuzzerInitialize(int* argc, char*** argv);
size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t limit, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t* first, size_t firstSize, const uint8_t* second, size_t secondSize,
    uint8_t* out, size_t limit, unsigned seed);
/// The library's own mutation, of bytes.
size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t limit);
}
