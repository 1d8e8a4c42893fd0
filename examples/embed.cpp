// A program that runs scripts by the embedding API: functions of its own, errors, values, a loop it drives itself,
// limits, and two engines side by side that know nothing of each other.
#include "interp/host/engine.h"
#include <cstdio>
#include <ctime>

using scr::Engine, scr::EngineLimits, scr::HostValue, scr::Outcome, scr::RunStatus;

namespace {

struct Account {
    const char* owner;
    double balance;
};

/// print(value): the context says for whom.
HostValue print(void* context, const HostValue* args, size_t count, std::string&) {
    std::printf("%s: ", static_cast<Account*>(context)->owner);
    if (count > 0 && args[0].type == HostValue::Number)
        std::printf("%g\n", args[0].number);
    else
        std::printf("%s\n", count > 0 ? args[0].string.c_str() : "");
    return {};
}

/// withdraw(amount): the new balance; what is left in `error` becomes the script's TypeError.
HostValue withdraw(void* context, const HostValue* args, size_t count, std::string& error) {
    auto* account = static_cast<Account*>(context);
    HostValue result;
    if (count < 1 || args[0].type != HostValue::Number)
        error = "withdraw needs a number";
    else if (args[0].number > account->balance)
        error = "the account holds less than that";
    else
        account->balance -= args[0].number;
    result.type = HostValue::Number;
    result.number = account->balance;
    return result;
}

void setUp(Engine& engine, Account& account) {
    engine.define("print", 1, print, &account);
    engine.define("withdraw", 1, withdraw, &account);
}

/// The loop of the application: one turn, then whatever else it does until the script's next timer is due.
void drive(Engine& engine) {
    for (int64_t wait; (wait = engine.turnLoop()) >= 0;) {
        timespec pause{time_t(wait / 1000), long(wait % 1000) * 1000000};
        nanosleep(&pause, nullptr);
    }
}

const char* const shopping = R"(
    let bought = 0;
    const buying = setInterval(() => {
        try {
            print("left: " + withdraw(30));
            bought++;
        } catch (error) {
            print(`${bought} bought, then ${error.name}: ${error.message}`);
            clearInterval(buying);
        }
    }, 5);
    print("shop is open");
)";

const char* const mistaken = R"(const order = {};
print(order.item.price);
)";

}

int main() {
    Account ada{"Ada", 100}, bob{"Bob", 50};

    // Two engines, each with its own globals, heap and timers. Destroying one leaves the other as it is.
    Engine first, second;
    setUp(first, ada);
    setUp(second, bob);
    first.evaluate(shopping, "shop.scr");
    second.evaluate(shopping, "shop.scr");
    drive(first);
    drive(second);

    // Values of expressions, as util.inspect shows them.
    std::printf("%s\n", first.evaluateValue("[1, 2, 3].map(n => ({ n, square: n * n }))", "query").value.c_str());

    // Errors come back as the report that the command line would print.
    Outcome outcome = second.evaluate(mistaken, "mistaken.scr");
    std::printf("threw: %s\n%s", outcome.status == RunStatus::Threw ? "yes" : "no", outcome.message.c_str());
    outcome = Engine().check("let a = ;", "broken.scr");
    std::printf(
        "syntax error: %s\n%s", outcome.status == RunStatus::SyntaxError ? "yes" : "no", outcome.message.c_str());

    // No handler of the script keeps it from ending at its memory limit; the application goes on.
    Engine limited(EngineLimits{.memoryBytes = 16 << 20});
    outcome = limited.evaluate("const all = []; try { for (;;) all.push({}); } catch {}", "greedy.scr");
    std::printf(
        "limit reached: %s\n%s", outcome.status == RunStatus::LimitReached ? "yes" : "no", outcome.message.c_str());

    // Runs what is left and the exit event. The engine that failed has nothing more to say.
    outcome = first.runLoop();
    std::printf("exit code: %d\n", outcome.exitCode);
}
