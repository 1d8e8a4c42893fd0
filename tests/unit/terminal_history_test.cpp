// The history and its file: exact, merged, replaced as a whole, and harmless when something is wrong with it.
#include "interp/terminal/history.h"
#include "interp/terminal/history_file.h"

#include <csignal>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace scr;
namespace fs = std::filesystem;

namespace {

struct Folder {
    Folder() {
        char name[] = "/tmp/scr-history-XXXXXX";
        path = mkdtemp(name);
    }
    ~Folder() {
        std::error_code ignored;
        fs::remove_all(path, ignored);
    }
    std::string path;
};

std::string content(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

std::string all(const History& history) {
    std::string text;
    for (size_t i = 0; i < history.size(); i++)
        text += history.at(i) + ";";
    return text;
}

std::string read(const std::string& path) {
    History history(path);
    history.load();
    return all(history) + history.error();
}

}

TEST_CASE("history: entries come back exactly") {
    Folder folder;
    std::string path = folder.path + "/deep/er/history";
    const std::string entries[] = {
        "1 + 1", "function f() {\n  return `a\\nb\\\\`\n\n}", "'\\n'", "\\", "日本 \t x", "a\\\nb"};
    {
        History history(path);
        history.load();
        for (const std::string& entry : entries)
            history.add(entry);
        history.flush();
        CHECK(history.error() == "");
    }
    History history(path);
    history.load();
    REQUIRE(history.size() == std::size(entries));
    for (size_t i = 0; i < history.size(); i++)
        CHECK(history.at(i) == entries[i]);
    struct stat status;
    REQUIRE(stat(path.c_str(), &status) == 0);
    CHECK((status.st_mode & 0777) == 0600);
    REQUIRE(stat((folder.path + "/deep").c_str(), &status) == 0);
    CHECK((status.st_mode & 0777) == 0700);
    // Nothing but the file.
    CHECK(std::distance(fs::directory_iterator(folder.path + "/deep/er"), fs::directory_iterator()) == 1);
}

TEST_CASE("history: blank entries and repetitions are left out") {
    History history;
    for (const char* entry : {"a", "a", "", "  \n", "b", "a", "a\n"})
        history.add(entry);
    CHECK(all(history) == "a;b;a;");
    history.flush();
    CHECK(history.error() == "");
}

TEST_CASE("history: two at once lose nothing") {
    Folder folder;
    std::string path = folder.path + "/h";
    History one(path), two(path);
    one.load();
    two.load();
    one.add("one 1");
    one.flush();
    two.add("two 1");
    two.flush();
    one.add("one 2");
    one.flush();
    two.flush();
    CHECK(read(path) == "one 1;two 1;one 2;");
    CHECK(all(one) == "one 1;one 2;");
}

TEST_CASE("history: many processes at once lose nothing") {
    Folder folder;
    std::string path = folder.path + "/h";
    constexpr int processes = 6, each = 25;
    for (int p = 0; p < processes; p++) {
        if (fork() == 0) {
            History history(path);
            history.load();
            for (int i = 0; i < each; i++) {
                history.add(std::to_string(p) + ":" + std::to_string(i));
                history.flush();
            }
            _exit(history.error().empty() ? 0 : 1);
        }
    }
    for (int p = 0; p < processes; p++) {
        int status = 0;
        wait(&status);
        CHECK(status == 0);
    }
    std::string text = "\n" + content(path);
    for (int p = 0; p < processes; p++) {
        for (int i = 0; i < each; i++)
            CHECK(text.find("\n" + std::to_string(p) + ":" + std::to_string(i) + "\n") != text.npos);
    }
}

TEST_CASE("history: limits") {
    Folder folder;
    std::string path = folder.path + "/h";
    {
        History history(path);
        for (size_t i = 0; i < History::MaximumEntries * 3; i++)
            history.add("entry " + std::to_string(i));
    }
    History history(path);
    history.load();
    CHECK(history.size() == History::MaximumEntries);
    CHECK(history.at(0) == "entry 2000");
    // Large ones push the old ones out; one that is too large is not kept.
    for (int i = 0; i < 10; i++)
        history.add(std::to_string(i) + std::string(900 << 10, 'x'));
    history.add(std::string(History::MaximumBytes, 'y'));
    history.flush();
    CHECK(history.error() == "");
    CHECK(fs::file_size(path) <= History::MaximumBytes);
    CHECK(content(path).starts_with("8xxx"));
}

TEST_CASE("history: files that are wrong") {
    Folder folder;
    std::string path = folder.path + "/h";
    std::ofstream(path, std::ios::binary) << std::string("ok\n\xff\xfe\\q\\\n\n   \nno end\0x", 21);
    CHECK(read(path) == "ok;\uFFFD\uFFFD\\q\\;no end" + std::string("\0", 1) + ";");
    // Too large: the end of it.
    {
        std::ofstream file(path, std::ios::binary);
        for (int i = 0; i < 2000000; i++)
            file << "line " << i << "\n";
    }
    History large(path);
    large.load();
    CHECK(large.size() == History::MaximumEntries);
    CHECK(large.at(large.size() - 1) == "line 1999999");
    large.add("new");
    large.flush();
    CHECK(large.error() == "");
    CHECK(content(path).ends_with("line 1999999\nnew\n"));
    // Endless lines and random bytes.
    std::ofstream(path, std::ios::binary) << std::string(20 << 20, 'z');
    CHECK(read(path).size() < 10u << 20);
    std::string noise;
    unsigned seed = 3;
    for (int i = 0; i < 100000; i++)
        noise += char((seed = seed * 1103515245 + 12345) >> 16);
    std::ofstream(path, std::ios::binary) << noise;
    read(path);
}

TEST_CASE("history: places that cannot hold it") {
    Folder folder;
    for (std::string path :
        {std::string("/dev/full"), folder.path, std::string("/proc/none/h"), std::string("/dev/null/h")}) {
        History history(path);
        history.load();
        history.add("kept in memory");
        history.flush();
        CHECK(history.error().starts_with("cannot write the history "));
        CHECK(all(history) == "kept in memory;");
        history.add("b");
        history.flush();
    }
    struct stat status;
    REQUIRE(stat("/dev/full", &status) == 0);
    CHECK(S_ISCHR(status.st_mode));
    History null("/dev/null");
    null.add("x");
    null.flush();
    CHECK(null.error() == "");
    // A pipe that nobody reads does not stop anybody.
    std::string pipe = folder.path + "/pipe";
    mkfifo(pipe.c_str(), 0600);
    History stuck(pipe);
    stuck.load();
    stuck.add("x");
    stuck.flush();
    CHECK(stuck.error() != "");
}

TEST_CASE("history: a link stays one, and a mode stays what it was") {
    Folder folder;
    std::string real = folder.path + "/real", link = folder.path + "/link";
    std::ofstream(real) << "old\n";
    chmod(real.c_str(), 0640);
    REQUIRE(symlink(real.c_str(), link.c_str()) == 0);
    {
        History history(link);
        history.load();
        history.add("new");
    }
    CHECK(fs::is_symlink(link));
    CHECK(content(real) == "old\nnew\n");
    struct stat status;
    REQUIRE(stat(real.c_str(), &status) == 0);
    CHECK((status.st_mode & 0777) == 0640);
}

TEST_CASE("history: a full disk leaves the file as it was") {
    Folder folder;
    std::string path = folder.path + "/h";
    std::ofstream(path) << "old\n";
    // A limit on the size of files is as good as a full disk.
    if (fork() == 0) {
        History history(path);
        history.load();
        rlimit limit{100, 100};
        setrlimit(RLIMIT_FSIZE, &limit);
        signal(SIGXFSZ, SIG_IGN);
        history.add(std::string(10000, 'n'));
        history.flush();
        _exit(history.error().find("too large") != std::string::npos ? 0 : 1);
    }
    int status = 0;
    wait(&status);
    CHECK(status == 0);
    CHECK(content(path) == "old\n");
    CHECK(std::distance(fs::directory_iterator(folder.path), fs::directory_iterator()) == 1);
}
