// Reports for machines (--json): one JSON object on a line of standard error for each error that ends the run, warning,
// or limit. The fields are told in docs/errors-and-cli.md.
#pragma once
#include "interp/host/report.h"

namespace scr {

/// Makes the loop's reports lines of JSON.
void installJsonReports(Vm& vm);
/// Whether that was done.
bool reportsJson(Vm& vm);

std::string jsonSyntaxError(const ScriptSource& source, const CompileError& error);
/// A limit ended the run; `text` says which.
std::string jsonLimit(Vm& vm, const ThrowPlace& place, const std::string& text);
/// A signal did: with the stack at that moment, if a script ran.
std::string jsonInterrupt(Vm& vm, const std::string& pending);
/// What is wrong before there is an engine: a file that cannot be read.
std::string jsonComplaint(const std::string& text);

}
