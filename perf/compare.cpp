// Compares commands by the processor time they take: runs them interleaved, n times, and prints for each the median of
// user + system time and its ratio to the first with a 95 % interval. See README.md in this folder.
//
//   compare [options] NAME=COMMAND [NAME=COMMAND...]
//
//   -n ROUNDS          measured rounds, 9 otherwise; one more before them is thrown away
//   --slope N1 N2      each command runs with {N} replaced by N1 and by N2; the figure is the difference of the two
//                      times divided by N2 - N1, so that start and end of the process cancel
//   --per K            divides a slope's figure by K, when a unit of N stands for K rounds
//   --with NAME=PATH   adds the first command with its program replaced by PATH
//   --inverse          ratios are first / this instead of this / first
//   --same-output      fails unless all commands print the same
//   --tsv FILE         also writes: name, median, lowest, highest, ratio, interval, KB resident (of the median run)
//
// The invariant: no shell stands between, so the time is the command's own, children and threads included (wait4).
#include "runtime/base/statistics.h"
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

extern char** environ;

using scr::Interval, scr::intervalOfMedian, scr::median;

namespace {

struct Command {
    std::string name;
    std::vector<std::string> words;
    std::vector<double> figures; // seconds, or nanoseconds a unit; one for each round
    std::vector<double> resident; // KB
    std::string output; // of the last run at the greater N
};

struct Options {
    int rounds = 9;
    bool slope = false;
    std::string n1, n2;
    double per = 1;
    bool inverse = false;
    bool sameOutput = false;
    const char* tsv = nullptr;
    std::vector<Command> commands;
};

struct Usage {
    double seconds = 0;
    double resident = 0;
    std::string output;
};

[[noreturn]] void fail(const std::string& message) {
    fprintf(stderr, "compare: %s\n", message.c_str());
    exit(1);
}

// Blanks separate words; single quotes keep them together.
std::vector<std::string> splitWords(const char* text) {
    std::vector<std::string> words;
    std::string word;
    bool quoted = false, any = false;
    for (; *text; text++) {
        if (*text == '\'') {
            quoted = !quoted, any = true;
        } else if (*text == ' ' && !quoted) {
            if (any)
                words.push_back(word);
            word.clear(), any = false;
        } else {
            word += *text, any = true;
        }
    }
    if (any)
        words.push_back(word);
    return words;
}

std::string replaceCount(std::string word, const std::string& n) {
    for (size_t at; (at = word.find("{N}")) != std::string::npos;)
        word.replace(at, 3, n);
    return word;
}

std::string readAll(int from) {
    std::string text;
    char buffer[4096];
    for (ssize_t n; (n = read(from, buffer, sizeof buffer)) != 0;) {
        if (n > 0)
            text.append(buffer, size_t(n));
        else if (errno != EINTR)
            break;
    }
    return text;
}

double seconds(const timeval& time) { return double(time.tv_sec) + double(time.tv_usec) * 1e-6; }

// Runs the command once. Its standard error is thrown away unless it fails.
Usage run(const Command& command, const std::string& n) {
    std::vector<std::string> words;
    for (const std::string& word : command.words)
        words.push_back(replaceCount(word, n));
    std::vector<char*> argv;
    for (std::string& word : words)
        argv.push_back(word.data());
    argv.push_back(nullptr);

    int out[2];
    FILE* errors = tmpfile();
    if (!errors || pipe2(out, O_CLOEXEC) != 0)
        fail("no pipe for a child");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, out[1], 1);
    posix_spawn_file_actions_adddup2(&actions, fileno(errors), 2);
    pid_t pid;
    int error = posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(out[1]);
    if (error != 0)
        fail("cannot start " + words[0] + ": " + strerror(error));

    Usage usage;
    usage.output = readAll(out[0]);
    close(out[0]);
    int status;
    rusage resources{};
    while (wait4(pid, &status, 0, &resources) < 0 && errno == EINTR) { }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        lseek(fileno(errors), 0, SEEK_SET);
        std::string all;
        for (const std::string& word : words)
            all += word + " ";
        fail(command.name + " failed: " + all + "\n" + usage.output + readAll(fileno(errors)));
    }
    fclose(errors);
    usage.seconds = seconds(resources.ru_utime) + seconds(resources.ru_stime);
    usage.resident = double(resources.ru_maxrss);
    return usage;
}

void measure(Command& command, const Options& options, bool counts) {
    double figure = 0;
    Usage last;
    if (options.slope) {
        Usage first = run(command, options.n1);
        last = run(command, options.n2);
        double units = (atof(options.n2.c_str()) - atof(options.n1.c_str())) * options.per;
        figure = (last.seconds - first.seconds) / units * 1e9;
    } else {
        last = run(command, options.n1);
        figure = last.seconds;
    }
    command.output = last.output;
    if (!counts)
        return;
    command.figures.push_back(figure);
    command.resident.push_back(last.resident);
}

// Paired by round: what slows the machine down for a while slows both.
std::vector<double> ratios(const Command& command, const Command& first, bool inverse) {
    std::vector<double> result;
    for (size_t i = 0; i < command.figures.size(); i++)
        result.push_back(inverse ? first.figures[i] / command.figures[i] : command.figures[i] / first.figures[i]);
    return result;
}

void print(const Options& options) {
    const Command& first = options.commands[0];
    FILE* tsv = options.tsv ? fopen(options.tsv, "w") : nullptr;
    if (options.tsv && !tsv)
        fail(std::string("cannot write ") + options.tsv);
    const char* unit = options.slope ? "ns" : "s";
    printf("%-18s %10s %21s  %s\n", "", (std::string("median ") + unit).c_str(), "lowest - highest",
        options.inverse ? "first / this [95 %]" : "this / first [95 %]");
    for (const Command& command : options.commands) {
        auto [low, high] = std::minmax_element(command.figures.begin(), command.figures.end());
        std::vector<double> ratio = ratios(command, first, options.inverse);
        Interval interval = intervalOfMedian(ratio);
        int digits = options.slope ? 2 : 4;
        printf("%-18s %10.*f %10.*f -%9.*f", command.name.c_str(), digits, median(command.figures), digits, *low,
            digits, *high);
        if (&command != &first)
            printf("  %.3f [%.3f, %.3f]", median(ratio), interval.low, interval.high);
        printf("\n");
        if (tsv)
            fprintf(tsv, "%s\t%.9g\t%.9g\t%.9g\t%.6g\t%.6g\t%.6g\t%.0f\n", command.name.c_str(),
                median(command.figures), *low, *high, median(ratio), interval.low, interval.high,
                median(command.resident));
    }
    if (tsv)
        fclose(tsv);
}

void checkOutputs(const Options& options) {
    for (const Command& command : options.commands) {
        if (command.output != options.commands[0].output)
            fail("outputs differ\n" + options.commands[0].name + ": " + options.commands[0].output + command.name + ": "
                + command.output);
    }
}

void addCommand(Options& options, const char* text) {
    const char* equals = strchr(text, '=');
    if (!equals)
        fail(std::string("expected NAME=COMMAND, found ") + text);
    Command command;
    command.name.assign(text, equals);
    command.words = splitWords(equals + 1);
    if (command.words.empty())
        fail(command.name + " has no command");
    options.commands.push_back(std::move(command));
}

void addPeer(Options& options, const char* text) {
    const char* equals = strchr(text, '=');
    if (!equals)
        fail("--with NAME=PATH");
    if (options.commands.empty())
        fail("--with needs a command before it");
    Command command;
    command.name.assign(text, equals);
    command.words = options.commands[0].words;
    command.words[0] = equals + 1;
    options.commands.push_back(std::move(command));
}

Options parse(int argc, char** argv) {
    Options options;
    for (int i = 1; i < argc; i++) {
        std::string argument = argv[i];
        auto value = [&] {
            if (i + 1 >= argc)
                fail(argument + " needs a value");
            return argv[++i];
        };
        if (argument == "-n")
            options.rounds = std::max(1, atoi(value()));
        else if (argument == "--slope")
            options.slope = true, options.n1 = value(), options.n2 = value();
        else if (argument == "--per")
            options.per = atof(value());
        else if (argument == "--with")
            addPeer(options, value());
        else if (argument == "--inverse")
            options.inverse = true;
        else if (argument == "--same-output")
            options.sameOutput = true;
        else if (argument == "--tsv")
            options.tsv = value();
        else if (argument[0] == '-')
            fail("unknown option " + argument);
        else
            addCommand(options, argv[i]);
    }
    if (options.commands.empty())
        fail("usage: compare [-n ROUNDS] [--slope N1 N2 [--per K]] [--with NAME=PATH] [--inverse] [--same-output] "
             "[--tsv FILE] "
             "NAME=COMMAND...");
    return options;
}

}

int main(int argc, char** argv) {
    Options options = parse(argc, argv);
    size_t count = options.commands.size();
    for (int round = 0; round <= options.rounds; round++) {
        // Every other round runs backwards, so that nobody always follows the same neighbour.
        for (size_t i = 0; i < count; i++)
            measure(options.commands[round % 2 ? count - 1 - i : i], options, round > 0);
        if (options.sameOutput)
            checkOutputs(options);
    }
    print(options);
    return 0;
}
