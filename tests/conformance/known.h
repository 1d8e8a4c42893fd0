// The list of known failures: groups with their reasons (known_failures.txt).
#pragma once
#include "tests/conformance/test_file.h"
#include <unordered_map>

class KnownFailures {
public:
    /// False if the file cannot be read or a line is wrong (said on standard error).
    bool read(const std::string& file);
    /// The reason why this very test fails, or null. Such a test must fail.
    const std::string* listed(const TestFile& test) const;
    /// The reason why a test of a whole group (need, feature, folder) may fail, or null. Most of them do; one that
    /// passes is no fault.
    const std::string* excused(const TestFile& test) const;

private:
    struct Group {
        enum Kind { Need, Feature, Folder } kind;
        std::string name;
        std::string reason;
    };
    bool line(const std::string& text, const std::string& reason);
    std::vector<Group> groups_;
    std::unordered_map<std::string, std::string> tests_;
};
