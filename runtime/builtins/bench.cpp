// The natives of scr:bench: processor time, what the heap did, and the line to the process that measures.
#include "runtime/base/version.h"
#include "runtime/builtins/native.h"
#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <sys/resource.h>
#include <unistd.h>

namespace scr {

/// Nanoseconds that this thread has been running; what else the machine does does not count.
Result internal_processorTime(Vm&, Args) {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return Value::number(double(now.tv_sec) * 1e9 + double(now.tv_nsec));
}

/// How often this thread slept, for a timer or anything else.
Result internal_sleeps(Vm&, Args) {
    rusage usage{};
    getrusage(RUSAGE_THREAD, &usage);
    return Value::number(double(usage.ru_nvcsw));
}

/// Bytes in use; grows with each allocation and shrinks only when there is a collection.
Result internal_heapBytes(Vm& vm, Args) { return Value::number(double(vm.heap.usedBytes())); }

Result internal_collections(Vm& vm, Args) { return Value::number(double(vm.heap.collections())); }

/// What `scr bench` asks this process to measure; undefined if it was not started by that.
Result internal_benchPlan(Vm& vm, Args) {
    const char* plan = std::getenv("SCR_BENCH");
    return plan ? utf8Value(vm, plan) : Value::undefined();
}

/// A line to `scr bench`, on descriptor 3. If nobody listens any more, nothing is left to do.
Result internal_benchTell(Vm& vm, Args args) {
    constexpr int Descriptor = 3;
    std::string line = toUtf8(vm, TRY(toString(vm, args[0]))) + "\n";
    for (size_t at = 0; at < line.size();) {
        ssize_t count = write(Descriptor, line.data() + at, line.size() - at);
        if (count < 0 && errno != EINTR)
            return Value::boolean(false);
        at += count > 0 ? size_t(count) : 0;
    }
    return Value::boolean(true);
}

}
