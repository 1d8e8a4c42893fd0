// Random programs for the differential fuzzer. The invariant: the same seed and features make the same program, every
// program ends, has no early error, and depends on nothing that two engines may do differently (time, chance, stacks).
#pragma once
#include "tests/fuzz/random.h"
#include <string>
#include <vector>

namespace scr::fuzz {

/// A statement, with what stands inside: shrinking takes statements out, or puts the inner ones in their place.
struct Statement {
    std::string head; ///< all of it, or what stands before the block
    std::vector<Statement> body;
    std::string tail; ///< behind the block; empty: a statement without one
    bool isRemovable = true;
};
using Program = std::vector<Statement>;

/// Parts of the language that an engine may lack; the driver asks both what they have.
struct Features {
    bool privateNames = false;
    bool staticBlocks = false;
    bool proxies = false;
    bool typedArrays = false;
    bool iteratorHelpers = false;
};

Program generate(u64 seed, const Features& features);
/// The text of a program without its surroundings.
std::string textOf(const Program& program, unsigned indent = 0);
/// Helpers that every program uses: to be put once in front of one or many.
extern const char* const preamble;

}
