// Reading the command line by the table of options.
#include "interp/host/cli.h"
#include "interp/host/option_table.h"
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace scr {

namespace {

/// Digits with k, M or G behind them; 0 if it is no such thing, or too much.
u64 parseSize(std::string_view text, u64 kilo = 1024) {
    u64 number = 0;
    size_t i = 0;
    for (; i < text.size() && text[i] >= '0' && text[i] <= '9'; i++) {
        if (number > (u64(1) << 50))
            return 0;
        number = number * 10 + u64(text[i] - '0');
    }
    if (i == 0)
        return 0;
    std::string_view unit = text.substr(i);
    u64 factor = unit.empty()        ? 1
        : unit == "k" || unit == "K" ? kilo
        : unit == "M" || unit == "m" ? kilo * kilo
        : unit == "G" || unit == "g" ? kilo * kilo * kilo
                                     : 0;
    return !factor || number > (u64(1) << 62) / factor ? 0 : number * factor;
}

class Reader {
public:
    Reader(int argc, char** argv)
        : argc_(argc)
        , argv_(argv) { }
    CommandLine read(bool terminal);

private:
    bool takeOptions(Action command);
    bool takeArguments(Action command);
    void checkTests();
    bool takeOption(std::string_view text, Action command);
    bool apply(const OptionInfo& info, std::string_view name, std::string_view value, bool hasValue);
    bool size(std::string_view name, std::string_view value, u64& result);
    bool number(std::string_view name, std::string_view value, const char* what, u64& result);
    bool milliseconds(std::string_view name, std::string_view value, u64& result);
    bool fileName(std::string_view name, std::string_view value, std::string& result);
    bool ratio(std::string_view name, std::string_view value, double& result);
    void checkBench();
    bool codeFollows() const;
    bool fail(std::string message) {
        line_.error = std::move(message);
        return false;
    }

    int argc_;
    char** argv_;
    int next_ = 1;
    bool hasCode_ = false;
    CommandLine line_;
};

bool Reader::size(std::string_view name, std::string_view value, u64& result) {
    result = parseSize(value);
    return result
        || fail(std::string(name) + " needs a size such as 512k, 64M or 2G, not '" + std::string(value) + "'");
}

bool Reader::number(std::string_view name, std::string_view value, const char* what, u64& result) {
    result = parseSize(value, 1000);
    return result || fail(std::string(name) + " needs " + what + ", not '" + std::string(value) + "'");
}

/// A number, of milliseconds if no unit (ms, s) says otherwise.
bool Reader::milliseconds(std::string_view name, std::string_view value, u64& result) {
    bool isMilliseconds = value.ends_with("ms"), isSeconds = !isMilliseconds && value.ends_with("s");
    result = parseSize(value.substr(0, value.size() - (isMilliseconds ? 2 : isSeconds)), 1000);
    if (isSeconds)
        result *= 1000;
    return result || fail(std::string(name) + " needs a number of milliseconds, not '" + std::string(value) + "'");
}

bool Reader::fileName(std::string_view name, std::string_view value, std::string& result) {
    result = value;
    return !value.empty() || fail(std::string(name) + " needs the name of a file");
}

bool Reader::ratio(std::string_view name, std::string_view value, double& result) {
    std::string text(value);
    char* end = nullptr;
    result = std::strtod(text.c_str(), &end);
    bool isNumber = !text.empty() && end == text.c_str() + text.size() && text[0] >= '0' && text[0] <= '9';
    return (isNumber && result > 0 && result < 1e6)
        || fail(std::string(name) + " needs a number such as 1.05, not '" + text + "'");
}

/// What stands behind -p is its code, unless -e gives that or it comes from standard input.
bool Reader::codeFollows() const {
    std::string_view next = next_ < argc_ ? argv_[next_] : "-";
    return next != "-" && next != "--" && next != "-e" && next != "--eval" && !next.starts_with("--eval=");
}

bool Reader::apply(const OptionInfo& info, std::string_view name, std::string_view value, bool hasValue) {
    switch (info.option) {
    case Option::Print:
        if (line_.action == Action::Check)
            return fail("either --check or --print can be used, not both");
        line_.action = Action::Print; // also if -e comes behind it
        if (!hasValue)
            return true; // CODE comes with -e, or from standard input
        [[fallthrough]];
    case Option::Eval:
        line_.code = value;
        line_.from = CommandLine::From::Code;
        hasCode_ = true;
        return true;
    case Option::Check:
        if (line_.action == Action::Print)
            return fail("either --check or --print can be used, not both");
        line_.action = Action::Check;
        return true;
    case Option::Interactive: line_.action = Action::Interactive; return true;
    case Option::Help: line_.action = Action::Help; return true;
    case Option::Version: line_.action = Action::Version; return true;
    case Option::DumpAst: line_.action = Action::DumpAst; return true;
    case Option::DumpBytecode: line_.action = Action::DumpBytecode; return true;
    case Option::Test262: line_.action = Action::Test262; return true;
    case Option::Include: line_.includes.emplace_back(value); return true;
    case Option::TestReporter: line_.testReporters.emplace_back(value); return true;
    case Option::TestDestination: line_.testDestinations.emplace_back(value); return true;
    case Option::TestNamePattern: line_.testPatterns.emplace_back(value); return true;
    case Option::TestOnly: line_.testOnly = true; return true;
    case Option::TestTimeout: return milliseconds(name, value, line_.testTimeout);
    case Option::TestConcurrency: return number(name, value, "a number from 1 on", line_.testConcurrency);
    case Option::Json: line_.reportsJson = true; return true;
    case Option::BenchTime: return milliseconds(name, value, line_.bench.time);
    case Option::BenchFilter: line_.bench.filter = value; return true;
    case Option::BenchSave: return fileName(name, value, line_.bench.save);
    case Option::BenchCompare: return fileName(name, value, line_.bench.compare);
    case Option::BenchAssertRatio: return ratio(name, value, line_.bench.assertRatio);
    case Option::BenchJson:
        line_.bench.json = true;
        line_.bench.jsonFile = value;
        return true;
    case Option::Module: line_.isModule = true; return true;
    case Option::UnhandledRejections:
        line_.rejections = value;
        return isChoice(info.argumentName, value) || fail("invalid value for --unhandled-rejections");
    case Option::NoWarnings: line_.noWarnings = true; return true;
    case Option::TraceWarnings: line_.traceWarnings = true; return true;
    case Option::NoDeprecation: line_.noDeprecation = true; return true;
    case Option::ThrowDeprecation: line_.throwDeprecation = true; return true;
    case Option::TraceDeprecation: line_.traceDeprecation = true; return true;
    case Option::ExplainShapes: line_.explainShapes = true; return true;
    case Option::Profile: line_.profile = value.empty() ? "scr-profile.html" : std::string(value); return true;
    case Option::StackLimit: return size(name, value, line_.stackLimit);
    case Option::MemoryLimit: return size(name, value, line_.memoryLimit);
    case Option::TimeLimit: return milliseconds(name, value, line_.timeLimit);
    case Option::Fuel: return number(name, value, "a number such as 5000 or 10M", line_.fuel);
    case Option::FuelReport: line_.reportsFuel = true; return true;
    case Option::FailAllocation:
#ifndef SCR_DEBUG
        return fail("--fail-alloc is for debug builds (make debug)");
#else
        return number(name, value, "a number from 1 on", line_.failAllocation);
#endif
    case Option::GcStress: {
        u64 interval = value.empty() ? 1 : parseSize(value);
        line_.gcStress = u32(interval);
        return (interval && interval == line_.gcStress)
            || fail("--gc-stress needs a number from 1 on, not '" + std::string(value) + "'");
    }
    }
    return true;
}

bool Reader::takeOption(std::string_view text, Action command) {
    bool isPrintEval = text == "-pe" && command == Action::Run; // as Node has it: -p with code that must follow
    if (isPrintEval)
        text = "-p";
    size_t equals = text.starts_with("--") ? text.find('=') : std::string_view::npos;
    std::string_view name = text.substr(0, equals);
    const OptionInfo* info = findOption(name, command);
    bool isGeneral = command == Action::Run;
    if (!info && !isGeneral) {
        // What goes for every run may stand behind the command too.
        info = findOption(name, Action::Run);
        isGeneral = info != nullptr;
        if (isGeneral)
            line_.options.emplace_back(text);
    }
    if (!info)
        return fail("bad option: " + std::string(text));
    std::string_view value;
    bool hasValue = true;
    if (equals != std::string_view::npos) {
        if (info->argument == Argument::None)
            return fail(std::string(name) + " takes no value");
        value = text.substr(equals + 1);
    } else if (info->option == Option::Print && !isPrintEval && !codeFollows()) {
        hasValue = false;
    } else if (info->argument == Argument::Required) {
        if (next_ >= argc_)
            return fail(std::string(name) + " requires an argument");
        value = argv_[next_];
        if (isGeneral)
            line_.options.emplace_back(value);
        next_++;
    }
    return apply(*info, name, value, hasValue);
}

/// Those in front of the script's name, or of the arguments of a command. False: nothing else counts.
bool Reader::takeOptions(Action command) {
    while (next_ < argc_) {
        std::string_view text = argv_[next_];
        if (text == "-" || !text.starts_with('-'))
            break;
        next_++;
        if (text == "--")
            break;
        if (command == Action::Run)
            line_.options.emplace_back(text);
        if (!takeOption(text, command) || line_.action == Action::Help || line_.action == Action::Version)
            return false;
    }
    return true;
}

/// Behind the word of a command options and files may come in any order.
bool Reader::takeArguments(Action command) {
    while (next_ < argc_) {
        std::string_view text = argv_[next_++];
        if (text == "--")
            break;
        if (text == "-" || !text.starts_with('-'))
            line_.arguments.emplace_back(text);
        else if (!takeOption(text, command) || line_.action == Action::Help || line_.action == Action::Version)
            return false;
    }
    line_.arguments.insert(line_.arguments.end(), argv_ + next_, argv_ + std::max(next_, argc_));
    next_ = argc_;
    return true;
}

void Reader::checkBench() {
    if (line_.arguments.empty())
        fail("bench needs a FILE");
    else if (line_.bench.assertRatio > 0 && line_.bench.compare.empty())
        fail("--assert-ratio goes with --compare");
}

/// What --test-... say must make sense before any file runs.
void Reader::checkTests() {
    for (const std::string& name : line_.testReporters) {
        bool known = name == "spec" || name == "tap" || name == "dot" || name == "junit";
        if (!known && !name.starts_with('.') && !name.starts_with('/'))
            fail("--test-reporter needs spec, tap, dot, junit or the path of a script, not '" + name + "'");
    }
    size_t reporters = line_.testReporters.size(), destinations = line_.testDestinations.size();
    if (std::max<size_t>(reporters, 1) != destinations && (destinations || reporters > 1))
        fail("--test-reporter and --test-reporter-destination must be given as often as each other");
    for (std::string_view pattern : line_.testPatterns) {
        std::string_view text = pattern.substr(pattern.starts_with('^'));
        text = text.substr(0, text.size() - text.ends_with('$'));
        if (text.find_first_of("\\^$.*+?()[]{}|/") != text.npos)
            fail("--test-name-pattern takes plain text, with ^ in front of it and $ behind it if need be, not the "
                 "regular expression '"
                + std::string(pattern) + "'");
    }
}

CommandLine Reader::read(bool terminal) {
    if (!takeOptions(Action::Run))
        return std::move(line_);
    const CommandInfo* command =
        !hasCode_ && line_.action == Action::Run && next_ < argc_ ? findCommand(argv_[next_]) : nullptr;
    if (command) {
        next_++;
        line_.action = command->action;
        if (!takeArguments(command->action))
            return std::move(line_);
        if (hasCode_ || line_.action != command->action)
            fail(std::string(command->word) + " runs files, and nothing else");
        if (line_.action == Action::Bench)
            checkBench();
        checkTests();
        return std::move(line_);
    }
    if (!hasCode_) {
        if (next_ < argc_) {
            line_.file = argv_[next_++];
            line_.from = line_.file == "-" ? CommandLine::From::Stdin : CommandLine::From::File;
        } else {
            line_.from = CommandLine::From::Stdin;
            if (terminal && line_.action == Action::Run)
                line_.action = Action::Interactive;
        }
    }
    if (line_.isModule && line_.action == Action::Print)
        fail("--module does not go with --print: a module has no value");
    else if (line_.action == Action::Check && hasCode_)
        fail("either --check or --eval can be used, not both");
    else if (!line_.includes.empty() && line_.action != Action::Test262)
        fail("--include goes with --test262");
    checkTests();
    line_.arguments.assign(argv_ + next_, argv_ + std::max(next_, argc_));
    return std::move(line_);
}

}

CommandLine parseCommandLine(int argc, char** argv, bool terminal) { return Reader(argc, argv).read(terminal); }

/// "  -x, --long=NAME           help", with the texts one below the other.
static void appendHelpLine(std::string& text, std::string line, std::string_view help) {
    constexpr size_t Column = 28;
    if (line.size() + 2 > Column)
        line += "\n";
    line.append(Column - (line.ends_with('\n') ? 0 : line.size()), ' ');
    text += line + std::string(help) + "\n";
}

static void appendOptions(std::string& text, Action command) {
    for (const OptionInfo& info : options) {
        if (info.command != command)
            continue;
        std::string line = command == Action::Run ? "  " : "    ";
        line += info.shortName.empty() ? "    " : std::string(info.shortName) + ", ";
        line += info.longName;
        if (info.argument == Argument::Required)
            line += (info.shortName.empty() ? "=" : " ") + std::string(info.argumentName);
        if (info.argument == Argument::Optional)
            line += "[=" + std::string(info.argumentName) + "]";
        appendHelpLine(text, std::move(line), info.help);
    }
}

std::string helpText() {
    std::string text = "usage: scr [options] FILE [argument...]      (FILE - or none: from standard input)\n\n";
    appendOptions(text, Action::Run);
    appendHelpLine(text, "  --", "the options end here");
    text += "\ncommands, in the place of FILE (./test is a file of that name):\n";
    for (const CommandInfo& info : commands) {
        appendHelpLine(text, "  " + std::string(info.word) + " " + std::string(info.arguments), info.help);
        appendOptions(text, info.action);
    }
    text += "\nexamples:\n"
            "  scr hello.scr one two                     process.argv holds the program, hello.scr, one, two\n"
            "  scr -p '[1, 2, 3].map(n => n * n)'        prints [ 1, 4, 9 ]\n"
            "  echo 'console.log(1 + 1)' | scr\n";
    return text;
}

}
