// Changes scripts in ways that keep many of them scripts: by tokens of our own lexer, by bracketed groups and by whole
// statements taken from the tests. The invariant: a mutation depends on nothing but its text, its seed and the bank.
#pragma once
#include "grammar/source.h"
#include "tests/fuzz/random.h"
#include <string>
#include <string_view>
#include <vector>

namespace scr::fuzz {

/// Where the tokens of a text stand. Text that is no token is passed over byte by byte.
std::vector<Span> tokensOf(const std::string& text);

/// What mutations take their material from.
class Bank {
public:
    /// Reads every file of a folder: its statements, and its bracketed groups.
    void addFolder(const char* path);
    void addText(const std::string& text);
    bool isEmpty() const { return statements_.empty(); }
    const std::string& statement(Random& random) const { return random.pick(statements_); }
    const std::string& group(Random& random, char bracket) const;
    const std::string& token(Random& random) const { return random.pick(tokens_); }

private:
    std::vector<std::string> statements_, tokens_;
    std::vector<std::string> groups_[3]; // ( [ {
};

/// The bank of the process, and libFuzzer's folders read into it once (from the arguments that are no options).
Bank& bank();
void fillBank(int argc, char** argv);

/// One to four changes to text; at most `limit` bytes come out.
std::string mutate(std::string text, size_t limit, u64 seed);
/// The beginning of one and statements of another.
std::string crossOver(const std::string& first, const std::string& second, size_t limit, u64 seed);
/// The same in the form of LLVMFuzzerCustomCrossOver: the length of what is in `out`.
size_t crossOver(
    const u8* first, size_t firstSize, const u8* second, size_t secondSize, u8* out, size_t limit, u64 seed);

}
