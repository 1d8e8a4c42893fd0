// The profiler: what it finds in a program whose hot function is known, natives and collections by name, and its files.
#include "interp/host/engine.h"
#include "interp/host/profile_output.h"
// Last, for doctest's own CHECK to be the one that tests see.
#undef CHECK
#include <doctest/doctest.h>
#include <ostream> // doctest prints strings through it

using namespace scr;

namespace {

Profile profileOf(const std::string& text) {
    Engine engine;
    Profiler profiler(engine.vm());
    REQUIRE(profiler.start());
    Outcome outcome = engine.evaluate(text, "test.scr");
    CHECK(outcome.message == "");
    return profiler.stop();
}

/// Ticks with this function innermost.
u64 selfOf(const Profile& profile, const std::string& name) {
    u64 ticks = 0;
    for (const ProfileNode& node : profile.nodes)
        if (profile.functions[node.function].name == name)
            ticks += node.self;
    return ticks;
}

std::string hottest(const Profile& profile) {
    std::string best;
    for (const ProfileFunction& function : profile.functions)
        if (best.empty() || selfOf(profile, function.name) > selfOf(profile, best))
            best = function.name;
    return best;
}

const char* const Program = R"(
const machine = {};
machine.hot = function (n) {
    let s = 0;
    for (let i = 0; i < n; i++) s = (s * 31 + i) % 1000003;
    return s;
};
function cold(n) {
    let s = 0;
    for (let i = 0; i < n; i++) s += i & 3;
    return s;
}
const end = process.cpuUsage().user + 150000;
while (process.cpuUsage().user < end) {
    machine.hot(40000);
    cold(4000);
}
)";

}

TEST_CASE("profiler: the hot function is on top, by the name of what it was assigned to") {
    Profile profile = profileOf(Program);
    CHECK(profile.ticks > 20);
    CHECK(hottest(profile) == "machine.hot");
    CHECK(selfOf(profile, "machine.hot") > 3 * selfOf(profile, "cold"));
    u64 onLoop = 0;
    for (const ProfileNode& node : profile.nodes)
        for (auto [line, ticks] : node.lines)
            if (line == 5)
                onLoop += ticks;
    CHECK(onLoop * 10 > selfOf(profile, "machine.hot") * 9);
}

TEST_CASE("profiler: natives and callbacks have names") {
    Profile profile = profileOf(R"(
        const list = [];
        for (let i = 0; i < 20000; i++) list.push((i * 7919) % 20011);
        const end = process.cpuUsage().user + 150000;
        while (process.cpuUsage().user < end) {
            list.slice().sort((a, b) => a - b);
            JSON.stringify(list);
        })");
    CHECK(
        selfOf(profile, "sort") + selfOf(profile, "sort callback") + selfOf(profile, "stringify") > profile.ticks / 2);
    // The callback stands inside sort.
    for (const ProfileNode& node : profile.nodes)
        if (profile.functions[node.function].name == "sort callback")
            CHECK(profile.functions[profile.nodes[node.parent].function].name == "sort");
}

TEST_CASE("profiler: collections have a frame of their own") {
    Profile profile = profileOf(R"(
        const kept = [];
        for (let i = 0; i < 200000; i++) kept.push({ i, next: { i } });
        const end = process.cpuUsage().user + 300000;
        while (process.cpuUsage().user < end) for (let i = 0; i < 100000; i++) kept[i] = { i, next: { i } };)");
    CHECK(selfOf(profile, "(garbage collector)") > 0);
}

TEST_CASE("profiler: its files") {
    Profile profile;
    profile.functions = {{"(root)", "", 0, 0}, {"a\"<b", "dir/x.scr", 3, 5}};
    profile.nodes = {{0, 0, 0, {1}, {}}, {1, 0, 4, {}, {{7, 4}}}};
    profile.samples = {{1, 3}, {1, 1}};
    profile.ticks = 4;
    profile.tickMicroseconds = 1000;
    profile.startMicroseconds = 100;
    CHECK(renderProfile(profile, "x", "p.cpuprofile")
        == "{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"(root)\",\"scriptId\":\"0\",\"url\":\"\","
           "\"lineNumber\":-1,"
           "\"columnNumber\":-1},\"hitCount\":0,\"children\":[2]},{\"id\":2,\"callFrame\":{\"functionName\":"
           "\"a\\\"\\u003cb\","
           "\"scriptId\":\"0\",\"url\":\"dir/"
           "x.scr\",\"lineNumber\":2,\"columnNumber\":4},\"hitCount\":4,\"children\":[],"
           "\"positionTicks\":[{\"line\":7,\"ticks\":4}]}],\"startTime\":100,\"endTime\":4100,\"samples\":[2,2],"
           "\"timeDeltas\":[3000,1000]}\n");
    std::string page = renderProfile(profile, "title", "p.html");
    CHECK(page.starts_with("<!doctype html>"));
    CHECK(page.find("[\"a\\\"\\u003cb\",\"dir/x.scr\",3,5]") != std::string::npos);
    CHECK(page.find("/*DATA*/") == std::string::npos);
}
