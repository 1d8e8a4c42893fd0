// The interpreter a second time, for --explain-shapes and --profile: the same handlers, and before each instruction a
// look at where the script is (watch.h). A Vm runs it when somebody called watch(); otherwise nothing of it costs
// anything.
#define SCR_WATCHED
#include "interp/vm/watch.h"
// The handlers themselves:
#include "interp/vm/interpreter.cpp"
