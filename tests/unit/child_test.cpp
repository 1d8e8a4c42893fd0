// Child processes: what they write, how they end, and that none is left.
#include "interp/host/child.h"
#undef CHECK // doctest's from here on
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <doctest/doctest.h>
#include <map>
#include <ostream> // doctest prints strings through it

using namespace scr;

namespace {

struct Notes : ChildWatcher {
    std::map<u32, std::map<int, std::string>> texts;
    std::map<u32, ChildEnd> ends;
    void childWrote(u32 child, int descriptor, std::string_view bytes) override { texts[child][descriptor] += bytes; }
    void childEnded(u32 child, const ChildEnd& end) override { ends[child] = end; }
};

ChildRequest shell(const std::string& script) {
    ChildRequest request;
    request.arguments = {"sh", "-c", script};
    return request;
}

struct Fixture {
    Notes notes;
    Children children{notes};
    std::string error;
    void start(u32 number, const ChildRequest& request) { REQUIRE(children.start(number, request, error)); }
    void finish() {
        while (children.running())
            REQUIRE(children.turn());
    }
};

}

TEST_CASE("child: output, error output, further descriptors and exit status") {
    Fixture f;
    ChildRequest request = shell("echo out; echo err >&2; echo three >&3; echo four >&4; exit 7");
    request.extra = 2;
    f.start(5, request);
    f.finish();
    CHECK(f.notes.texts[5][1] == "out\n");
    CHECK(f.notes.texts[5][2] == "err\n");
    CHECK(f.notes.texts[5][3] == "three\n");
    CHECK(f.notes.texts[5][4] == "four\n");
    CHECK(f.notes.ends[5].status == 7);
    CHECK(f.notes.ends[5].signal == 0);
}

TEST_CASE("child: input, environment, folder") {
    Fixture f;
    ChildRequest request = shell("cat; echo $ADDED $HOME; pwd; env | grep -c ^HOME=");
    request.in = ChildStream::Pipe;
    request.environment = {"ADDED=1", "HOME=there"};
    request.folder = "/";
    f.start(1, request);
    std::string much(300000, 'x');
    f.children.write(1, much);
    f.children.write(1, "\n");
    f.children.closeInput(1);
    f.finish();
    CHECK(f.notes.texts[1][1] == much + "\n1 there\n/\n1\n");
}

TEST_CASE("child: without input it reads nothing; a program that does not read does no harm") {
    Fixture f;
    f.start(1, shell("cat; echo end"));
    ChildRequest deaf = shell("exit 0");
    deaf.in = ChildStream::Pipe;
    f.start(2, deaf);
    f.children.write(2, std::string(1000000, 'x'));
    f.finish();
    CHECK(f.notes.texts[1][1] == "end\n");
    CHECK(f.notes.ends[2].status == 0);
}

TEST_CASE("child: several at once, each with its own end") {
    Fixture f;
    for (u32 i = 0; i < 8; i++)
        f.start(i, shell("echo " + std::to_string(i) + "; exit " + std::to_string(i)));
    f.finish();
    for (u32 i = 0; i < 8; i++) {
        CHECK(f.notes.texts[i][1] == std::to_string(i) + "\n");
        CHECK(f.notes.ends[i].status == int(i));
    }
}

TEST_CASE("child: a time limit ends the whole group; a signal is told") {
    Fixture f;
    ChildRequest request = shell("sleep 1000 & echo begun; sleep 1000");
    request.timeLimit = 100;
    f.start(1, request);
    f.start(2, shell("kill -SEGV $$"));
    f.finish();
    CHECK(f.notes.texts[1][1] == "begun\n");
    CHECK(f.notes.ends[1].timedOut);
    CHECK(f.notes.ends[1].signal == SIGKILL);
    CHECK(f.notes.ends[2].signal == SIGSEGV);
    CHECK_FALSE(f.notes.ends[2].timedOut);
}

TEST_CASE("child: what it leaves behind does not keep its pipes open") {
    Fixture f;
    f.start(1, shell("sleep 1000 & echo left"));
    f.finish();
    CHECK(f.notes.texts[1][1] == "left\n");
    CHECK(f.notes.ends[1].status == 0);
}

TEST_CASE("child: a program that does not exist, a folder that does not") {
    Fixture f;
    ChildRequest request;
    request.arguments = {"/no/such/program"};
    CHECK_FALSE(f.children.start(1, request, f.error));
    CHECK(f.error == "cannot start '/no/such/program': No such file or directory");
    request = shell("exit 0");
    request.folder = "/no/such/folder";
    CHECK_FALSE(f.children.start(1, request, f.error));
    CHECK(f.children.running() == 0);
}

TEST_CASE("child: a signal to this process interrupts; none is left then") {
    pid_t pid = 0;
    {
        Fixture f;
        f.start(1, shell("echo $$; sleep 1000"));
        while (f.notes.texts[1][1].empty())
            REQUIRE(f.children.turn());
        pid = pid_t(std::stol(f.notes.texts[1][1]));
        raise(SIGTERM);
        CHECK_FALSE(f.children.turn());
        CHECK(f.children.interruption() == SIGTERM);
    }
    CHECK(kill(pid, 0) == -1);
    CHECK(errno == ESRCH);
}
