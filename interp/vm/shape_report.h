// --explain-shapes: what the property and call sites of a script met while it ran, and what would make them meet less.
#pragma once
#include "interp/bytecode/bytecode.h"

namespace scr {

/// Counts from now on, until the Vm's end; the Vm then runs the watched interpreter.
void watchSites(Vm& vm);
/// Counts the instruction about to run, if it has an inline cache, and learns of shapes made since the last one.
void watchSite(SiteWatch& watch, Vm& vm, const u64* pc, Value* base);
/// The report: sites that met more than one shape or missed often, then the others, the hottest first.
std::string shapeReport(Vm& vm);

}
