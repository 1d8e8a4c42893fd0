// Columns as wide as they must be, and no wider.
#include "interp/host/bench_report.h"
#include "runtime/base/text_width.h"
#include <algorithm>
#include <cstdio>
#include <cstring>

namespace scr {

std::string timeText(double nanoseconds) {
    static constexpr struct {
        double from, size;
        const char* name;
    } units[] = {{1e9, 1e9, "s"}, {1e6, 1e6, "ms"}, {1e3, 1e3, "µs"}, {0, 1, "ns"}};
    for (const auto& unit : units) {
        // What rounds to 1000 of one unit is 1 of the next.
        if (nanoseconds * 1.0005 < unit.from)
            continue;
        double number = nanoseconds / unit.size;
        int digits = number < 9.995 ? 2 : number < 99.95 ? 1 : 0;
        char text[32];
        std::snprintf(text, sizeof text, "%.*f ", digits, number);
        return std::string(text) + unit.name;
    }
    return "?";
}

namespace {

std::string grouped(double number) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.0f", std::min(number, 1e15));
    std::string text;
    for (size_t length = std::strlen(digits), i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            text += ',';
        text += digits[i];
    }
    return text;
}

std::string ratioText(double ratio) {
    char text[32];
    std::snprintf(text, sizeof text, ratio < 10 ? "%.3f" : "%.1f", ratio);
    return text;
}

std::string intervalText(const Interval& interval, std::string (*shown)(double)) {
    if (!interval.isKnown())
        return "";
    std::string text = "[";
    ((text += shown(interval.low)) += ", ") += shown(interval.high);
    return text += "]";
}

std::string painted(const std::string& text, Verdict verdict, bool colors) {
    if (!colors || verdict == Verdict::Same)
        return text;
    return (verdict == Verdict::Faster ? "\x1b[32m" : "\x1b[31m") + text + "\x1b[39m";
}

using Row = std::vector<std::string>;

Row heading(bool compares) {
    Row row = {"", "time/iter", "95 % interval", "iter/s", "min - max", "bytes/iter"};
    if (compares) {
        row.emplace_back("ratio");
        row.emplace_back("95 % interval");
    }
    return row;
}

Row rowOf(const Benchmark& benchmark, const BenchComparison* comparison, bool colors) {
    if (!benchmark.error.empty())
        return {"  " + benchmark.name, "failed"};
    double time = benchmark.time(), bytes = benchmark.bytesEach();
    Row row = {"  " + benchmark.name, timeText(time), intervalText(intervalOfMedian(benchmark.figures), timeText),
        grouped(1e9 / time), timeText(benchmark.low) + " - " + timeText(benchmark.high),
        bytes == bytes ? grouped(std::max(0.0, bytes)) : ""};
    if (!comparison)
        return row;
    const Ratio& ratio = comparison->ratio;
    if (ratio.median != ratio.median) {
        row.emplace_back("no baseline");
        return row;
    }
    Verdict verdict = verdictOn(ratio);
    row.push_back(ratioText(ratio.median));
    row.push_back(intervalText(ratio.interval, ratioText));
    row.push_back(painted(std::string(verdictText(verdict)), verdict, colors));
    return row;
}

/// Names and verdicts to the left, numbers to the right.
void appendRows(const std::vector<Row>& rows, std::string& out) {
    constexpr size_t VerdictColumn = 8;
    std::vector<size_t> widths;
    for (const Row& row : rows)
        for (size_t i = 0; i < row.size(); i++) {
            widths.resize(std::max(widths.size(), i + 1));
            widths[i] = std::max(widths[i], columnCount(row[i]));
        }
    for (const Row& row : rows) {
        std::string line;
        for (size_t i = 0; i < row.size(); i++) {
            std::string space(i == VerdictColumn ? 0 : widths[i] - columnCount(row[i]), ' ');
            line += (i ? "  " : "") + (i == 0 ? row[i] + space : space + row[i]);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + "\n";
    }
}

}

std::string benchTable(const BenchResults& results, const std::vector<BenchComparison>& comparisons, bool colors) {
    std::string text = "an iteration: the median of " + std::to_string(results.processes) + " processes, "
        + timeText(results.milliseconds * 1e6) + " for each benchmark in all\n\n";
    std::vector<Row> rows = {heading(!comparisons.empty())};
    const std::string* file = nullptr;
    for (size_t i = 0; i < results.benchmarks.size(); i++) {
        const Benchmark& benchmark = results.benchmarks[i];
        if (!file || *file != benchmark.file) {
            if (file)
                rows.emplace_back();
            file = &benchmark.file;
            rows.push_back({*file});
        }
        rows.push_back(rowOf(benchmark, comparisons.empty() ? nullptr : &comparisons[i], colors));
    }
    appendRows(rows, text);
    if (results.overhead == results.overhead)
        text += "\nof each iteration, " + timeText(results.overhead) + " are the call of the function and the loop\n";
    return text;
}

}
