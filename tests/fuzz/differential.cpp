// The differential fuzzer: random programs here and under node. Many programs share a process, each in a function of
// its own; one in ten also runs alone, for its exit status and the first line of its error. A program that differs is
// shrunk by taking statements out as long as it still differs.
//
//   differential FIRST LAST [SCR [NODE]]     the seeds from FIRST to LAST
#include "tests/fuzz/generator.h"
#include "tests/process.h"
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>
#include <unistd.h>

using scr::fuzz::textOf, scr::fuzz::Features, scr::fuzz::Program, scr::fuzz::Statement;
using scr::test::ProcessRequest, scr::test::ProcessResult;

namespace {

/// Differences that are right, and why: `ours` and `theirs` are parts of the first line that differs.
struct Known {
    const char* ours;
    const char* theirs;
    const char* reason;
};
const Known knownDifferences[] = {
#include "tests/fuzz/known_differences.inc"
};

std::string scrPath = "build/scr", nodePath = "node", folder;

/// What one engine made of a text.
struct Run {
    std::string out;
    int status = 0;
    int signal = 0;
    bool timedOut = false;
    std::string error; ///< the first line of an uncaught error
};

/// The message without what names an expression, as the preamble tells caught ones.
std::string kindOfMessage(const std::string& line) {
    for (const char* kind :
        {"iterable", "is not a function", "is not a constructor", "Cannot destructure", "Cannot read properties of"}) {
        if (line.find(kind) != std::string::npos)
            return line.substr(0, line.find(':')) + ": nothing of the kind";
    }
    return line;
}

std::string firstErrorLine(const std::string& text) {
    size_t at = 0;
    while (at < text.size()) {
        size_t end = std::min(text.find('\n', at), text.size());
        std::string line = text.substr(at, end - at);
        size_t colon = line.find("Error");
        if (colon != std::string::npos && line.find(' ') >= colon)
            return kindOfMessage(line);
        at = end + 1;
    }
    return "";
}

Run runEngine(const std::string& text, bool isNode) {
    std::string path = folder + (isNode ? "/program.js" : "/program.scr");
    FILE* file = fopen(path.c_str(), "w");
    if (isNode)
        fputs("\"use strict\";", file);
    fwrite(text.data(), 1, text.size(), file);
    fclose(file);
    ProcessRequest request;
    request.argv = {isNode ? nodePath : scrPath, path};
    request.folder = folder;
    request.seconds = 60;
    ProcessResult result = scr::test::runProcess(request);
    return {result.out, result.status, result.signal, result.timedOut, firstErrorLine(result.err)};
}

/// One program as part of a text of many.
std::string wrapped(const Program& program, const std::string& label) {
    return "console.log(\"=== " + label + "\");\ntry {\n(function () {\n" + textOf(program)
        + "})();\nconsole.log(\"ended\");\n} catch (e) { console.log(\"uncaught\", told(e)); }\n";
}

/// Output by label.
std::map<std::string, std::string> sections(const std::string& out) {
    std::map<std::string, std::string> result;
    size_t at = 0;
    std::string label;
    while (at < out.size()) {
        size_t end = std::min(out.find('\n', at), out.size() - 1) + 1;
        std::string line = out.substr(at, end - at);
        if (line.compare(0, 4, "=== ") == 0)
            result[label = line.substr(4, line.size() - 5)];
        else
            result[label] += line;
        at = end;
    }
    return result;
}

/// Both outputs of every program of a list; programs that a dead process left out are run alone.
std::vector<std::pair<std::string, std::string>> outputs(const std::vector<Program>& programs) {
    std::string text = scr::fuzz::preamble;
    for (size_t i = 0; i < programs.size(); i++)
        text += wrapped(programs[i], std::to_string(i));
    Run ours = runEngine(text, false), theirs = runEngine(text, true);
    auto mine = sections(ours.out), nodes = sections(theirs.out);
    bool bothEnded = ours.status == 0 && theirs.status == 0;
    std::vector<std::pair<std::string, std::string>> result;
    for (size_t i = 0; i < programs.size(); i++) {
        std::string label = std::to_string(i);
        if (bothEnded || programs.size() == 1) {
            std::string end = bothEnded ? "" : "\nstatus " + std::to_string(ours.status);
            result.emplace_back(mine[label]
                    + (bothEnded ? ""
                                 : "status " + std::to_string(ours.status) + " signal " + std::to_string(ours.signal)
                                + " " + ours.error + "\n"),
                nodes[label]
                    + (bothEnded ? ""
                                 : "status " + std::to_string(theirs.status) + " signal "
                                + std::to_string(theirs.signal) + " " + theirs.error + "\n"));
        } else {
            result.push_back(outputs({programs[i]})[0]);
        }
    }
    return result;
}

/// The text of one that runs alone: nothing catches what it throws.
bool differsAlone(const Program& program, std::string& ours, std::string& theirs) {
    std::string text = scr::fuzz::preamble + ("(function () {\n" + textOf(program)) + "})();\n";
    Run a = runEngine(text, false), b = runEngine(text, true);
    ours = a.out + "status " + std::to_string(a.status) + " signal " + std::to_string(a.signal) + "\n" + a.error + "\n";
    theirs =
        b.out + "status " + std::to_string(b.status) + " signal " + std::to_string(b.signal) + "\n" + b.error + "\n";
    return ours != theirs;
}

// ---- shrinking

/// Every program with one statement less, or with a block's statements in the place of the block.
void smaller(const Program& whole, std::vector<Statement>& list, std::vector<Program>& variants, const auto& self) {
    for (size_t i = 0; i < list.size(); i++) {
        Statement saved = list[i];
        if (saved.isRemovable) {
            list.erase(list.begin() + long(i));
            variants.push_back(whole);
            if (!saved.tail.empty() && saved.head.rfind("class", 0) != 0) {
                list.insert(list.begin() + long(i), saved.body.begin(), saved.body.end());
                variants.push_back(whole);
                list.erase(list.begin() + long(i), list.begin() + long(i + saved.body.size()));
            }
            list.insert(list.begin() + long(i), saved);
        }
        self(whole, list[i].body, variants, self);
    }
}

std::vector<Program> variantsOf(const Program& program) {
    Program work = program;
    std::vector<Program> variants;
    // Halves, quarters and eighths first.
    for (size_t parts = 2; parts <= 8 && parts <= program.size(); parts *= 2) {
        for (size_t part = 0; part < parts; part++) {
            Program fewer = program;
            auto from = fewer.begin() + long(program.size() * part / parts);
            fewer.erase(std::max(from, fewer.begin() + 1), fewer.begin() + long(program.size() * (part + 1) / parts));
            variants.push_back(std::move(fewer));
        }
    }
    auto self = [](const Program& whole, std::vector<Statement>& list, std::vector<Program>& found,
                    const auto& again) -> void { smaller(whole, list, found, again); };
    smaller(work, work, variants, self);
    return variants;
}

bool isUseful(const std::pair<std::string, std::string>& pair) {
    // A name whose declaration was taken out, or a text that is no program any more, differs in nothing of interest.
    return pair.first != pair.second && pair.second.rfind("status 1 signal 0 SyntaxError: ", 0) != 0
        && pair.second.find(" is not defined") == std::string::npos;
}

Program shrink(Program program) {
    time_t end = time(nullptr) + 100;
    while (time(nullptr) < end) {
        std::vector<Program> variants = variantsOf(program);
        bool found = false;
        for (size_t begin = 0; begin < variants.size() && !found && time(nullptr) < end; begin += 40) {
            std::vector<Program> some(
                variants.begin() + long(begin), variants.begin() + long(std::min(begin + 40, variants.size())));
            auto results = outputs(some);
            for (size_t i = 0; i < some.size(); i++) {
                if (isUseful(results[i]) && (!found || textOf(some[i]).size() < textOf(program).size())) {
                    program = some[i];
                    found = true;
                }
            }
        }
        if (!found)
            break;
    }
    return program;
}

// ---- telling

/// The first line in which the two differ.
std::pair<std::string, std::string> firstDifference(const std::string& ours, const std::string& theirs) {
    size_t at = 0;
    for (;;) {
        size_t endA = std::min(ours.find('\n', at), ours.size()), endB = std::min(theirs.find('\n', at), theirs.size());
        std::string a = at <= ours.size() ? ours.substr(at, endA - at) : "";
        std::string b = at <= theirs.size() ? theirs.substr(at, endB - at) : "";
        if (a != b || endA == ours.size())
            return {a, b};
        at = endA + 1;
    }
}

const Known* knownDifference(const std::string& ours, const std::string& theirs) {
    auto [a, b] = firstDifference(ours, theirs);
    for (const Known& known : knownDifferences) {
        if (a.find(known.ours) != std::string::npos && b.find(known.theirs) != std::string::npos)
            return &known;
    }
    return nullptr;
}

std::map<std::string, unsigned> counted; // by reason

/// True if it is a fault.
bool report(unsigned seed, const Program& program, const std::string& ours, const std::string& theirs, bool alone) {
    if (const Known* known = knownDifference(ours, theirs)) {
        counted[known->reason]++;
        return false;
    }
    if (theirs.rfind("status 1 signal 0 SyntaxError: ", 0) == 0) {
        printf("---- seed %u is no program: %s\n", seed, theirs.c_str());
        return true;
    }
    auto [a, b] = firstDifference(ours, theirs);
    printf("---- seed %u%s\n%.3000s-- scr:  %s\n-- node: %s\n", seed, alone ? " (alone)" : "", textOf(program).c_str(),
        a.c_str(), b.c_str());
    fflush(stdout);
    return true;
}

/// Whether both engines have it.
bool has(const char* code) {
    for (const std::string& program : {scrPath, nodePath}) {
        ProcessRequest request;
        request.argv = {program, "-e", code};
        request.folder = ".";
        if (scr::test::runProcess(request).status != 0)
            return false;
    }
    return true;
}

Features features() {
    Features result;
    result.privateNames =
        has("class A { #p = 1; #m() {} static has(o) { return #p in o; } get x() { return this.#p; } } new A().x;");
    result.staticBlocks = has("class A { static { this.x = 1; } }");
    result.proxies = has("new Proxy({}, {});");
    result.typedArrays = has("new Uint8Array(1).with(0, 1).toSorted();");
    result.iteratorHelpers = has("[].values().map(x => x).toArray();");
    return result;
}

}

int main(int argc, char** argv) {
    unsigned first = argc > 1 ? unsigned(atoi(argv[1])) : 1, last = argc > 2 ? unsigned(atoi(argv[2])) : first;
    char* absolute = realpath(argc > 3 ? argv[3] : "build/scr", nullptr);
    if (!absolute) {
        fprintf(stderr, "differential: there is no such program: %s\n", argc > 3 ? argv[3] : "build/scr");
        return 2;
    }
    scrPath = absolute;
    if (argc > 4)
        nodePath = argv[4];
    char name[] = "/tmp/scr-differential-XXXXXX";
    if (!mkdtemp(name))
        return 2;
    folder = name;
    Features both = features();
    unsigned faults = 0;
    constexpr unsigned batch = 40;
    for (unsigned seed = first; seed <= last; seed += batch) {
        std::vector<Program> programs;
        for (unsigned i = seed; i <= last && i < seed + batch; i++)
            programs.push_back(scr::fuzz::generate(i, both));
        auto results = outputs(programs);
        for (unsigned i = 0; i < programs.size(); i++) {
            if (results[i].first != results[i].second) {
                bool keep = !isUseful(results[i]) || knownDifference(results[i].first, results[i].second);
                Program small = keep ? programs[i] : shrink(programs[i]);
                auto again = outputs({small})[0];
                faults += report(seed + i, small, again.first, again.second, false);
            } else if ((seed + i) % 10 == 0) {
                std::string ours, theirs;
                if (differsAlone(programs[i], ours, theirs))
                    faults += report(seed + i, programs[i], ours, theirs, true);
            }
        }
    }
    for (const auto& [reason, count] : counted)
        printf("known: %u of: %s\n", count, reason.c_str());
    printf("differential: seeds %u to %u, %u differ\n", first, last, faults);
    for (const char* file : {"/program.js", "/program.scr"})
        unlink((folder + file).c_str());
    rmdir(name);
    return faults ? 1 : 0;
}
