// Reading known_failures.txt: `[reason]` begins a group; its lines are `need X`, `feature X`, `folder X` or a test.
#include "tests/conformance/known.h"
#include <cstdio>
#include <fstream>

bool KnownFailures::read(const std::string& file) {
    std::ifstream input(file);
    if (!input) {
        std::fprintf(stderr, "cannot read %s\n", file.c_str());
        return false;
    }
    std::string text, reason;
    for (unsigned number = 1; std::getline(input, text); number++) {
        if (text.empty() || text[0] == '#')
            continue;
        if (text[0] == '[' && text.back() == ']') {
            reason = text.substr(1, text.size() - 2);
        } else if (reason.empty() || !line(text, reason)) {
            std::fprintf(stderr, "%s:%u: neither a group's reason nor something known to fail: %s\n", file.c_str(),
                number, text.c_str());
            return false;
        }
    }
    return true;
}

bool KnownFailures::line(const std::string& text, const std::string& reason) {
    size_t space = text.find(' ');
    if (space == text.npos)
        return text.ends_with(".js") && tests_.emplace(text, reason).second;
    std::string kind = text.substr(0, space), name = text.substr(space + 1);
    if (kind == "need")
        groups_.push_back({Group::Need, name, reason});
    else if (kind == "feature")
        groups_.push_back({Group::Feature, name, reason});
    else if (kind == "folder")
        groups_.push_back({Group::Folder, name, reason});
    else
        return false;
    return true;
}

const std::string* KnownFailures::listed(const TestFile& test) const {
    auto found = tests_.find(test.path);
    return found == tests_.end() ? nullptr : &found->second;
}

const std::string* KnownFailures::excused(const TestFile& test) const {
    for (const Group& group : groups_) {
        bool applies = group.kind == Group::Feature ? test.hasFeature(group.name)
            : group.kind == Group::Folder           ? test.path.starts_with(group.name + "/")
                                                    : false;
        if (group.kind == Group::Need)
            for (const NeedName& each : needNames)
                applies = applies || (group.name == each.name && (test.needs & each.need));
        if (applies)
            return &group.reason;
    }
    return nullptr;
}
