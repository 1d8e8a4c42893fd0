// What scr bench makes of lines from its processes, of saved results and of both together. No time is measured.
#include "interp/host/bench_report.h"
#include "interp/host/bench_results.h"
#include <doctest/doctest.h>

using namespace scr;

namespace {

Benchmark made(const std::string& file, const std::string& name, std::vector<double> figures) {
    Benchmark benchmark;
    benchmark.file = file;
    benchmark.name = name;
    benchmark.low = figures.front();
    benchmark.high = figures.back();
    benchmark.total = 100;
    benchmark.samples = 10;
    benchmark.figures = std::move(figures);
    return benchmark;
}

}

TEST_CASE("a line tells what a process measured") {
    BenchReader reader;
    CHECK(reader.line("{\"protocol\":1}").kind == BenchLine::Protocol);
    CHECK(reader.line("{\"registered\":3}").number == 3);
    CHECK(reader.line("{\"overhead\":[3,1,2]}").number == 2);
    BenchLine line =
        reader.line("{\"name\":\"a > b\",\"isAsync\":true,\"samples\":[5,1,9],\"iterations\":30,\"bytes\":64}");
    CHECK(line.kind == BenchLine::Measured);
    CHECK(line.benchmark.name == "a > b");
    CHECK(line.benchmark.isAsync);
    CHECK(line.benchmark.time() == 5);
    CHECK(line.benchmark.low == 1);
    CHECK(line.benchmark.high == 9);
    CHECK(line.benchmark.mean() == 5);
    CHECK(line.benchmark.bytesEach() == 64);
    CHECK(reader.line("{\"name\":\"a\",\"error\":\"no\"}").benchmark.error == "no");
}

TEST_CASE("a line that is none is broken, whatever it is") {
    BenchReader reader;
    for (const char* text : {"", "{", "null", "[]", "5", "{\"name\":5,\"samples\":[1]}", "{\"name\":\"a\"}",
             "{\"name\":\"a\",\"samples\":[]}", "{\"name\":\"a\",\"samples\":[1,\"2\"]}",
             "{\"name\":\"a\",\"samples\":[-1]}", "{\"name\":\"a\",\"samples\":{\"0\":1}}", "\xff\xfe",
             "{\"overhead\":7}"})
        CHECK(reader.line(text).kind == BenchLine::Broken);
}

TEST_CASE("what one process measured is added to what others did") {
    BenchResults results;
    addMeasured(results, made("f", "a", {10}));
    addMeasured(results, made("f", "a", {30}));
    addMeasured(results, made("f", "b", {5}));
    REQUIRE(results.benchmarks.size() == 2);
    CHECK(results.benchmarks[0].time() == 20);
    CHECK(results.benchmarks[0].low == 10);
    CHECK(results.benchmarks[0].high == 30);
    CHECK(results.benchmarks[0].samples == 20);
}

TEST_CASE("a baseline is read as it was written") {
    BenchResults results;
    results.processes = 10;
    results.milliseconds = 1000;
    results.benchmarks = {made("dir/f.scr", "quote \" and \\ and \n", {1.5, 2.5, 3.5}), made("g.scr", "b", {7})};
    std::string text = writeResults(results, {});
    BenchReader reader;
    BenchResults read;
    std::string error;
    REQUIRE(reader.results(text, read, error));
    REQUIRE(read.benchmarks.size() == 2);
    CHECK(read.benchmarks[0].name == results.benchmarks[0].name);
    CHECK(read.benchmarks[0].file == "dir/f.scr");
    CHECK(read.benchmarks[0].figures == results.benchmarks[0].figures);
}

TEST_CASE("a broken baseline is refused") {
    BenchReader reader;
    std::string head = "{\"format\":\"scr-bench-1\",\"benchmarks\":";
    for (const std::string& text : {std::string(), std::string("{\"format\":"), std::string("{}"), std::string("[1]"),
             std::string("{\"format\":\"scr-bench-2\",\"benchmarks\":[]}"), head + "5}", head + "[5]}",
             head + "[{\"name\":\"a\"}]}", head + "[{\"name\":\"a\",\"figures\":[]}]}",
             head + "[{\"name\":\"a\",\"figures\":[0]}]}", head + "[{\"figures\":[1]}]}",
             head + "[{\"name\":\"a\",\"figures\":[1,null]}]}"}) {
        BenchResults results;
        std::string error;
        CHECK(!reader.results(text, results, error));
        CHECK(!error.empty());
    }
}

TEST_CASE("a benchmark finds itself in other results by file and name, or by a name that is the only one") {
    BenchResults other;
    other.benchmarks = {made("a/x.scr", "one", {1}), made("b/x.scr", "one", {2}), made("y.scr", "two", {3}),
        made("y.scr", "three", {4}), made("z.scr", "three", {5})};
    CHECK(other.match(made("b/x.scr", "one", {9}))->time() == 2);
    CHECK(other.match(made("c/x.scr", "one", {9}))->time() == 1);
    CHECK(other.match(made("new.scr", "two", {9}))->time() == 3);
    CHECK(other.match(made("z.scr", "three", {9}))->time() == 5);
    CHECK(other.match(made("new.scr", "three", {9})) == nullptr);
    CHECK(other.match(made("y.scr", "four", {9})) == nullptr);
}

TEST_CASE("times have three digits and the unit that suits them") {
    CHECK(timeText(0) == "0.00 ns");
    CHECK(timeText(1.234) == "1.23 ns");
    CHECK(timeText(99.96) == "100 ns");
    CHECK(timeText(999.4) == "999 ns");
    CHECK(timeText(999.9) == "1.00 µs");
    CHECK(timeText(12345) == "12.3 µs");
    CHECK(timeText(1234567) == "1.23 ms");
    CHECK(timeText(2.5e10) == "25.0 s");
}

TEST_CASE("the table says of each benchmark how it compares") {
    BenchResults results;
    results.processes = 10;
    results.milliseconds = 1000;
    std::vector<double> ten(10, 1000);
    results.benchmarks = {made("f.scr", "é same", ten), made("f.scr", "slower", std::vector<double>(10, 2000)),
        made("f.scr", "new", ten), made("f.scr", "thrown", ten)};
    results.benchmarks[3].error = "no";
    std::vector<BenchComparison> comparisons(4);
    comparisons[0] = {1000, unpairedRatio(ten, ten)};
    comparisons[1] = {1000, unpairedRatio(results.benchmarks[1].figures, ten)};
    std::string table = benchTable(results, comparisons, false);
    CHECK(table.find("  é same    1.00 µs  [1.00 µs, 1.00 µs]  1,000,000  1.00 µs - 1.00 µs                    1.000  "
                     "[1.000, 1.000]  not distinguishable\n")
        != table.npos);
    CHECK(table.find("2.000  [2.000, 2.000]  slower\n") != table.npos);
    CHECK(table.find("no baseline\n") != table.npos);
    CHECK(table.find("  thrown     failed\n") != table.npos);
    CHECK(benchTable(results, comparisons, true).find("\x1b[31mslower\x1b[39m") != table.npos);
    std::string json = writeResults(results, comparisons);
    CHECK(json.find("\"ratio\": 2, \"interval\": [2, 2], \"verdict\": \"slower\"") != json.npos);
}
