// JSON in through JSON.parse, out by hand. What is read may be anything: nothing is believed before it is looked at.
#include "interp/host/bench_results.h"
#include "interp/host/engine.h"
#include "runtime/base/version.h"
#include "runtime/builtins/json.h"
#include <algorithm>
#include <sys/utsname.h>

namespace scr {

constexpr std::string_view Format = "scr-bench-1";

// ---- finding

Benchmark* BenchResults::find(std::string_view file, std::string_view name) {
    for (Benchmark& benchmark : benchmarks)
        if (benchmark.file == file && benchmark.name == name)
            return &benchmark;
    return nullptr;
}

static std::string_view lastName(std::string_view path) {
    size_t slash = path.rfind('/');
    return slash == path.npos ? path : path.substr(slash + 1);
}

const Benchmark* BenchResults::match(const Benchmark& wanted) const {
    const Benchmark *byLastName = nullptr, *byName = nullptr;
    u32 count = 0;
    for (const Benchmark& benchmark : benchmarks) {
        if (benchmark.name != wanted.name)
            continue;
        if (benchmark.file == wanted.file)
            return &benchmark;
        if (lastName(benchmark.file) == lastName(wanted.file) && !byLastName)
            byLastName = &benchmark;
        byName = &benchmark;
        count++;
    }
    return byLastName ? byLastName : count == 1 ? byName : nullptr;
}

void addMeasured(BenchResults& results, const Benchmark& measured) {
    Benchmark* known = results.find(measured.file, measured.name);
    if (!known) {
        results.benchmarks.push_back(measured);
        return;
    }
    known->figures.insert(known->figures.end(), measured.figures.begin(), measured.figures.end());
    known->low = std::min(known->low, measured.low);
    known->high = std::max(known->high, measured.high);
    known->total += measured.total;
    known->samples += measured.samples;
    known->iterations += measured.iterations;
    known->bytes.insert(known->bytes.end(), measured.bytes.begin(), measured.bytes.end());
    known->collections += measured.collections;
    if (known->error.empty())
        known->error = measured.error;
}

// ---- reading

struct BenchReader::Impl {
    Engine engine;

    Value parse(std::string_view text) {
        Vm& vm = engine.vm();
        Result parsed = parseJson(vm, newUtf8(vm, text));
        if (!parsed.threw())
            return parsed.value();
        vm.pendingException = Value::undefined();
        return Value::undefined();
    }
    /// Undefined if `object` is no object or has no such property.
    Value field(Value object, std::string_view name) {
        Vm& vm = engine.vm();
        if (!object.isObject())
            return Value::undefined();
        return getOwnProperty(vm, object.asObject(), keyFromAtom(internAscii(vm, name))).dataValue();
    }
    /// A number that is none of those is NaN.
    double number(Value object, std::string_view name) {
        Value value = field(object, name);
        return value.isNumber() ? value.asNumber() : NAN;
    }
    std::string text(Value object, std::string_view name) {
        Value value = field(object, name);
        return value.isString() ? toUtf8(engine.vm(), value.asString()) : "";
    }
    /// Empty if one of them is no positive number.
    std::vector<double> numbers(Value object, std::string_view name) {
        Value list = field(object, name);
        std::vector<double> result;
        if (!list.isObject() || kindOf(list.asCell()) != Kind::Array)
            return result;
        auto* array = static_cast<Array*>(list.asObject());
        for (u32 i = 0; i < array->length(); i++) {
            Value item = getOwnProperty(engine.vm(), array, PropertyKey::index(i)).dataValue();
            if (!item.isNumber() || !(item.asNumber() >= 0))
                return {};
            result.push_back(item.asNumber());
        }
        return result;
    }
    Benchmark measured(Value object);
    bool saved(Value object, Benchmark& benchmark);
};

BenchReader::BenchReader()
    : impl_(new Impl) { }
BenchReader::~BenchReader() = default;

static double orZero(double number) { return number == number ? number : 0; }

/// The clock's grain may make a sample 0, which nothing can be divided by.
constexpr double Least = 1e-3;

Benchmark BenchReader::Impl::measured(Value object) {
    Benchmark benchmark;
    benchmark.name = text(object, "name");
    benchmark.error = text(object, "error");
    benchmark.isAsync = field(object, "isAsync").isTrue();
    std::vector<double> samples = numbers(object, "samples");
    if (samples.empty())
        return benchmark;
    benchmark.figures = {std::max(Least, median(samples))};
    for (double sample : samples) {
        benchmark.low = std::min(benchmark.low, sample);
        benchmark.high = std::max(benchmark.high, sample);
        benchmark.total += sample;
    }
    benchmark.samples = samples.size();
    benchmark.iterations = orZero(number(object, "iterations"));
    if (double bytes = number(object, "bytes"); bytes == bytes)
        benchmark.bytes = {bytes};
    benchmark.collections = orZero(number(object, "collections"));
    return benchmark;
}

BenchLine BenchReader::line(std::string_view text) {
    Value object = impl_->parse(text);
    BenchLine line;
    if (double protocol = impl_->number(object, "protocol"); protocol == protocol) {
        line.kind = BenchLine::Protocol;
        line.number = protocol;
    } else if (double count = impl_->number(object, "registered"); count == count) {
        line.kind = BenchLine::Registered;
        line.number = count;
    } else if (std::vector<double> samples = impl_->numbers(object, "overhead"); !samples.empty()) {
        line.kind = BenchLine::Overhead;
        line.number = median(samples);
    } else if (impl_->field(object, "name").isString()) {
        line.benchmark = impl_->measured(object);
        bool says = !line.benchmark.figures.empty() || !line.benchmark.error.empty();
        line.kind = says ? BenchLine::Measured : BenchLine::Broken;
    }
    return line;
}

bool BenchReader::Impl::saved(Value object, Benchmark& benchmark) {
    benchmark.file = text(object, "file");
    benchmark.name = text(object, "name");
    benchmark.figures = numbers(object, "figures");
    for (double figure : benchmark.figures)
        if (!(figure > 0))
            return false;
    return field(object, "name").isString() && !benchmark.figures.empty();
}

bool BenchReader::results(std::string_view text, BenchResults& results, std::string& error) {
    Value object = impl_->parse(text);
    if (!object.isObject()) {
        error = "it is no JSON";
        return false;
    }
    if (impl_->text(object, "format") != Format) {
        error = "it was not written by scr bench --save";
        return false;
    }
    Value list = impl_->field(object, "benchmarks");
    if (!list.isObject() || kindOf(list.asCell()) != Kind::Array) {
        error = "it has no list of benchmarks";
        return false;
    }
    auto* array = static_cast<Array*>(list.asObject());
    for (u32 i = 0; i < array->length(); i++) {
        Benchmark benchmark;
        Value item = getOwnProperty(impl_->engine.vm(), array, PropertyKey::index(i)).dataValue();
        if (!impl_->saved(item, benchmark)) {
            error = "its benchmark " + std::to_string(i + 1) + " has no name, or no figures above 0";
            return false;
        }
        results.benchmarks.push_back(std::move(benchmark));
    }
    return true;
}

// ---- writing

std::string jsonText(std::string_view text) {
    std::string out = "\"";
    for (char c : text) {
        constexpr char digits[] = "0123456789abcdef";
        auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\')
            (out += '\\') += c;
        else if (byte < ' ')
            (((out += "\\u00") += digits[byte >> 4]) += digits[byte & 15]);
        else
            out += c;
    }
    return out += '"';
}

static std::string numberText(double number) {
    if (!std::isfinite(number))
        return "null";
    char text[32];
    std::snprintf(text, sizeof text, "%.9g", number);
    return text;
}

static std::string intervalText(const Interval& interval) {
    return interval.isKnown() ? "[" + numberText(interval.low) + ", " + numberText(interval.high) + "]" : "null";
}

std::string_view verdictText(Verdict verdict) {
    return verdict == Verdict::Faster ? "faster" : verdict == Verdict::Slower ? "slower" : "not distinguishable";
}

static std::string writeComparison(const BenchComparison& comparison) {
    if (comparison.baseline != comparison.baseline)
        return "null";
    const Ratio& ratio = comparison.ratio;
    return "{\"median\": " + numberText(comparison.baseline) + ", \"ratio\": " + numberText(ratio.median)
        + ", \"interval\": " + intervalText(ratio.interval)
        + ", \"verdict\": " + jsonText(verdictText(verdictOn(ratio))) + "}";
}

static std::string writeBenchmark(const Benchmark& benchmark) {
    std::string text = "{\"file\": " + jsonText(benchmark.file) + ", \"name\": " + jsonText(benchmark.name);
    if (!benchmark.error.empty())
        return text + ", \"error\": " + jsonText(benchmark.error);
    double time = benchmark.time();
    text += std::string(", \"async\": ") + (benchmark.isAsync ? "true" : "false");
    text +=
        ", \"median\": " + numberText(time) + ", \"interval\": " + intervalText(intervalOfMedian(benchmark.figures));
    text += ", \"mean\": " + numberText(benchmark.mean()) + ", \"min\": " + numberText(benchmark.low)
        + ", \"max\": " + numberText(benchmark.high) + ", \"perSecond\": " + numberText(1e9 / time)
        + ", \"iterations\": " + numberText(benchmark.iterations) + ", \"bytes\": " + numberText(benchmark.bytesEach())
        + ", \"collections\": " + numberText(benchmark.collections) + ", \"figures\": [";
    for (size_t i = 0; i < benchmark.figures.size(); i++)
        text += (i ? ", " : "") + numberText(benchmark.figures[i]);
    return text + "]";
}

std::string writeResults(const BenchResults& results, const std::vector<BenchComparison>& comparisons) {
    utsname machine{};
    uname(&machine);
    std::string text = "{\n  \"format\": " + jsonText(Format) + ",\n  \"scr\": " + jsonText(Version)
        + ",\n  \"machine\": " + jsonText(std::string(machine.sysname) + " " + machine.machine) + ",\n  \"processes\": "
        + std::to_string(results.processes) + ",\n  \"time\": " + numberText(results.milliseconds)
        + ",\n  \"overhead\": " + numberText(results.overhead) + ",\n  \"benchmarks\": [";
    for (size_t i = 0; i < results.benchmarks.size(); i++) {
        text += (i ? ",\n    " : "\n    ") + writeBenchmark(results.benchmarks[i]);
        if (i < comparisons.size() && results.benchmarks[i].error.empty())
            text += ", \"baseline\": " + writeComparison(comparisons[i]);
        text += "}";
    }
    return text + "\n  ]\n}\n";
}

}
