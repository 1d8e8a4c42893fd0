// One test of test262 as its text describes it: the YAML in front, and what of the language its own tokens need.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Parts of the language by which the figures are told apart. A test needs one if its flags, features, folder or tokens
/// say so (tests/conformance/README.md has the rules).
enum Need : uint32_t {
    NeedsGenerator = 1,
    NeedsAsync = 2,
    NeedsModule = 4,
    NeedsRegExp = 8,
    NeedsBigInt = 16,
    NeedsDate = 32,
};
struct NeedName {
    Need need;
    const char* name;
};
constexpr NeedName needNames[] = {{NeedsGenerator, "generator"}, {NeedsAsync, "async"}, {NeedsModule, "module"},
    {NeedsRegExp, "RegExp"}, {NeedsBigInt, "BigInt"}, {NeedsDate, "Date"}};

/// What is not complete in this version: the figure that counts leaves out the tests that need it.
constexpr uint32_t laterNeeds = NeedsRegExp | NeedsBigInt | NeedsDate;

struct TestFile {
    std::string path; ///< from test/ on: "language/white-space/tab.js"
    std::vector<std::string> flags, features, includes;
    std::string negativePhase, negativeType; ///< empty: the test must run to its end
    uint32_t needs = 0;
    bool isInScope = false;

    bool hasFlag(std::string_view flag) const;
    bool hasFeature(std::string_view feature) const;
    /// "language/expressions", "built-ins/Array".
    std::string folder() const;
};

/// `text` is the whole file.
TestFile readTest(std::string path, std::string_view text);
/// What a test needs that includes this file of the harness: its features, its syntax.
uint32_t needsOfInclude(std::string_view text);
