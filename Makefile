# The build. `make help` lists the targets. Everything made lies under build/: build/scr is the program, build/CONFIG
# one folder for each way to compile (release, debug, asan), with objects, generated sources and symbols.
#
# Invariants: sources are found by their folder, never listed; a changed header, flag or compiler rebuilds exactly what
# depends on it; the targets that people type check first that the tools are there (tools/deps.sh).

SHELL := /bin/sh
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules --no-print-directory

CONFIG ?= release
B := build/$(CONFIG)
PREFIX ?= /usr/local
# Other engines to measure beside ours: WITH="name=/path/to/program ...".
WITH ?=
# A checkout of tc39/test262, and which of its tests.
TEST262 ?=
FILTER ?=
# What to fuzz, for how many seconds; seeds of random programs.
FUZZER ?= parse
TIME ?= 60
SEEDS ?= 1 500
# Options of the test runner: a part of a path selects scripts, TEST=timers/ for one folder.
TEST ?=

ifeq ($(origin CXX),default)
CXX := g++
endif
export CXX

# As many jobs as there are processors, unless the caller said how many.
JOBS = $(if $(filter -j% --jobserver%,$(MAKEFLAGS)),,-j$(shell nproc 2>/dev/null || echo 2))
SUBMAKE = $(MAKE) $(JOBS)

# ---- What is compiled -------------------------------------------------------------------------------------------

# From the bottom up; tools/lint/layers.sh checks who includes whom.
LAYERS := runtime/base runtime/heap runtime/core runtime/loop grammar interp/bytecode interp/compiler interp/vm \
          runtime/builtins stdlib interp/terminal interp/host interp/repl
SOURCES := $(wildcard $(addsuffix /*.cpp,$(LAYERS)))
MAIN := interp/host/main.cpp
GENERATED := $(if $(wildcard grammar/lexer.re),$(B)/gen/lexer.cpp) $(if $(wildcard grammar/parser.y),$(B)/gen/parser.cpp)
OBJECTS := $(SOURCES:%.cpp=$(B)/%.o) $(GENERATED:.cpp=.o)
ENGINE := $(filter-out $(MAIN:%.cpp=$(B)/%.o),$(OBJECTS))
TEST_SOURCES := $(wildcard tests/*.cpp tests/unit/*.cpp tests/api/*.cpp)
CONFORMANCE_OBJECTS := $(patsubst %.cpp,$(B)/%.o,$(wildcard tests/conformance/*.cpp))
TEST_OBJECTS := $(TEST_SOURCES:%.cpp=$(B)/%.o)
# Programs that use the embedding API.
EXAMPLES := $(patsubst %.cpp,$(B)/%,$(wildcard examples/*.cpp))

# ---- How --------------------------------------------------------------------------------------------------------

IS_CLANG = $(findstring clang,$(shell $(CXX) --version 2>/dev/null))
# Debian has no static mimalloc and no shared libtommath worth its start: the rest is linked from archives, because a
# dynamic libstdc++ alone costs 1.7 million instructions at start.
DOUBLE_CONVERSION = $(shell $(CXX) -print-file-name=libdouble-conversion.a)

# Instructions, values and cells are read through the types they stand for: no strict aliasing.
WARNINGS := -Wall -Wextra -Werror
COMMON := -std=c++20 -fno-strict-aliasing $(WARNINGS) -fno-rtti -ffunction-sections -fdata-sections -I. -I$(B) -I$(B)/gen
ENGINE_ONLY := -fno-exceptions -fno-asynchronous-unwind-tables
LINK := -Wl,--gc-sections -Wl,--as-needed
ALLOC ?= mimalloc

ifeq ($(CONFIG),release)
SMALL := -Os
# Calls through the procedure linkage table are bound when they first happen: at start that saves a tenth.
OPTIMIZE := -O2 -fno-pie -fcf-protection=none -fno-math-errno -DNDEBUG
LINK += -no-pie -static-libstdc++ -static-libgcc -Wl,-O1 -Wl,--hash-style=gnu
else ifeq ($(CONFIG),debug)
OPTIMIZE := -O1 -g -DSCR_DEBUG
ENGINE_ONLY := -fno-exceptions
else ifeq ($(CONFIG),asan)
# mimalloc would hide from the sanitizer every error that it looks for.
override ALLOC := system
SANITIZE := -fsanitize=address,undefined -fno-sanitize=vptr -fno-sanitize-recover=all -fno-omit-frame-pointer
OPTIMIZE := -O1 -g -DSCR_DEBUG $(SANITIZE)
LINK += $(SANITIZE)
ENGINE_ONLY := -fno-exceptions
else ifeq ($(CONFIG),fuzz)
# For clang's libFuzzer: every object counts its edges; main comes from the library (tests/fuzz/README.md).
override ALLOC := system
SANITIZE := -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize=vptr,function -fno-sanitize-recover=all
OPTIMIZE := -O1 -g -DSCR_DEBUG -fno-omit-frame-pointer $(SANITIZE)
LINK += $(SANITIZE)
ENGINE_ONLY := -fno-exceptions
else
$(error CONFIG is release, debug, asan or fuzz, not '$(CONFIG)')
endif

ifeq ($(ALLOC),system)
COMMON += -DSCR_ALLOC_SYSTEM
else
LIBRARIES := -lmimalloc
endif

# Whoever builds may add flags of his own at the end.
COMPILE = $(CXX) $(COMMON) $(OPTIMIZE) $(EXTRA) $(CPPFLAGS) $(CXXFLAGS) -MMD -MP
# One dispatch for each handler: these two passes would merge them again (g++ only; clang does not know the names).
VM_FLAGS = $(if $(IS_CLANG),,-fno-gcse -fno-crossjumping)
# Every handler may jump to every other: with a check at each access clang needs ten minutes for that one function.
ifeq ($(CONFIG),fuzz)
VM_FLAGS += -fno-sanitize=null,alignment,object-size,pointer-overflow
endif

# ---- Targets that people type -----------------------------------------------------------------------------------

.PHONY: all help deps churn churn-instructions test test-node debug asan asan-build gcstress lint format bench \
        fuzz fuzz-run fuzz-node assert-node inspect-node fail-alloc test262 test262-sample test262-runner parser-tests packages errors-page install uninstall clean regold engine \
        runner objects FORCE

all: deps
	+@$(SUBMAKE) engine

help:
	@echo 'make                      the program: build/scr'
	@echo 'make test                 all tests (TEST=part/of/a/path for some)'
	@echo 'make churn                the timer benchmark, ours beside node (WITH="name=/path" for more)'
	@echo 'make churn-instructions   the same in instructions a round, by callgrind'
	@echo 'make bench                the six programs, the wider set, start and timers, ours beside node --jitless and Lua'
	@echo 'make debug, asan          builds with assertions, with sanitizers (and the tests)'
	@echo 'make gcstress             the tests with a collection at every allocation'
	@echo 'make test-node            the same test scripts under node: lists what differs'
	@echo 'make fuzz                 fuzzers for clang; fuzz-run FUZZER=parse TIME=60 runs one'
	@echo 'make fuzz-node            random programs here and under node (SEEDS="FIRST LAST")'
	@echo 'make inspect-node         values for util.inspect, format, console, parseArgs, TextDecoder, here and under node (SEEDS, COUNT)'
	@echo 'make assert-node          pairs of values for node:assert, here and under node (SEEDS="FIRST LAST")'
	@echo 'make test262 TEST262=DIR  the conformance suite, a checkout of tc39/test262 (FILTER=part/of/a/path)'
	@echo 'make test262-sample       2,000 of its tests, always the same'
	@echo 'make parser-tests         5,361 programs of the npm package test262-parser-tests: accepted or refused'
	@echo 'make packages             20 packages of npm under scr and under node (NAMES="mitt rxjs" for some)'
	@echo 'make errors-page          docs/errors.md: 60 faulty programs under scr, node and qjs (NODE=, QJS=, - keeps one)'
	@echo 'make fail-alloc           scripts in which one allocation after the other fails'
	@echo 'make lint, format         house rules; clang-format in place'
	@echo 'make regold               writes the expected trees and bytecode anew: review the diff'
	@echo 'make install, uninstall   PREFIX=$(PREFIX), DESTDIR='
	@echo 'make clean                removes build/'

deps:
	@sh tools/deps.sh build

churn: deps
	+@$(SUBMAKE) engine build/compare
	@sh perf/churn.sh $(WITH)

churn-instructions: deps
	@sh tools/deps.sh callgrind
	+@$(SUBMAKE) engine
	@sh perf/churn_instructions.sh

bench: deps
	+@$(SUBMAKE) engine build/compare
	@sh perf/bench.sh $(WITH)

test: deps
	@sh tools/deps.sh test
	+@$(SUBMAKE) engine runner
	@$(B)/tests/run --scr=build/scr $(TEST)
	@$(if $(TEST),,sh tools/examples.sh $(B) && sh tests/install.sh)

test-node: deps
	+@$(SUBMAKE) runner
	@$(B)/tests/run --node $(TEST)

# Needs the build that can let allocations fail.
fail-alloc: deps
	+@$(SUBMAKE) CONFIG=debug engine
	@sh tools/fail_alloc.sh build/debug/scr $(RUNS)

test262: deps
	+@$(SUBMAKE) engine test262-runner
	@build/test262/run --suite=$(TEST262) --failures=build/test262/failures.txt $(FILTER)

test262-sample: deps
	+@$(SUBMAKE) engine test262-runner
	@build/test262/run --suite=$(TEST262) --sample=2000 $(FILTER)

parser-tests: deps
	+@$(SUBMAKE) engine
	@sh tools/parser_tests.sh build/scr

errors-page: deps
	+@$(SUBMAKE) engine
	@sh tools/errors_page.sh build/scr $(or $(NODE),-) $(or $(QJS),-) > build/errors.md && mv build/errors.md docs/errors.md

packages: deps
	+@$(SUBMAKE) engine
	@sh tests/packages/run.sh build/scr $(NAMES)

debug: deps
	+@$(SUBMAKE) CONFIG=debug engine

asan-build: deps
	+@$(SUBMAKE) CONFIG=asan engine runner

asan: asan-build
	@sh tools/deps.sh test
	@build/asan/tests/run --scr=build/asan/scr --asan $(TEST)

gcstress: deps
	+@$(SUBMAKE) CONFIG=debug engine runner
	@build/debug/tests/run --scr=build/debug/scr --gc-stress $(TEST)

regold: deps
	+@$(SUBMAKE) engine runner
	@$(B)/tests/run --scr=build/scr --regold $(TEST)

lint: deps
	@sh tools/deps.sh format
	@sh tools/lint.sh

format:
	@sh tools/deps.sh format
	@sh tools/format.sh

# Coverage-guided fuzzers, by clang whatever CXX is (tests/fuzz/README.md).
fuzz:
	@sh tools/deps.sh fuzz
	+@$(SUBMAKE) CONFIG=fuzz CXX=clang++ fuzzers

fuzz-run: fuzz
	@sh tests/fuzz/run.sh $(FUZZER) $(TIME)

inspect-node: deps
	+@$(SUBMAKE) engine
	@sh tests/fuzz/inspect/run.sh "$(SEEDS)" "$(COUNT)"

fuzz-node: deps
	+@$(SUBMAKE) engine build/differential
	@build/differential $(SEEDS)

assert-node: deps
	+@$(SUBMAKE) engine
	@sh tests/fuzz/assert_node.sh build/scr $(SEEDS)

# What lies beside the program, by its place below PREFIX: the manual, and what shells complete.
SHARED := share/man/man1/scr.1 share/bash-completion/completions/scr share/zsh/site-functions/_scr \
          share/fish/vendor_completions.d/scr.fish

install: all
	install -D -m 755 build/scr $(DESTDIR)$(PREFIX)/bin/scr
	for file in $(SHARED); do install -D -m 644 build/$$file $(DESTDIR)$(PREFIX)/$$file || exit 1; done

uninstall:
	rm -f $(addprefix $(DESTDIR)$(PREFIX)/,bin/scr $(SHARED))

clean:
	rm -rf build

# ---- Rules ------------------------------------------------------------------------------------------------------

ifeq ($(CONFIG),release)
engine: build/scr build/libscr.a $(SHARED:%=build/%)
# The stripped copy is what is installed and measured; build/release/scr keeps its symbols for profilers.
build/scr: $(B)/scr
	@strip -o $@ $<
else
engine: $(B)/scr
endif

runner: $(B)/tests/run $(EXAMPLES)
objects: $(OBJECTS)

$(B)/scr: $(OBJECTS)
	@echo "  link $@"
	@$(CXX) $(LINK) -o $@ $(OBJECTS) $(DOUBLE_CONVERSION) $(LIBRARIES) $(LDFLAGS)

# For programs that embed it (docs/embedding.md). Made anew, so that no object of a file that is gone stays in it.
build/libscr.a: $(ENGINE)
	@rm -f $@
	@ar rcs $@ $^

$(B)/tests/run: $(TEST_OBJECTS) $(ENGINE)
	@echo "  link $@"
	@$(CXX) $(LINK) -o $@ $(TEST_OBJECTS) $(ENGINE) $(DOUBLE_CONVERSION) $(LIBRARIES) -pthread $(LDFLAGS)

$(EXAMPLES): %: %.o $(ENGINE)
	@echo "  link $@"
	@$(CXX) $(LINK) -o $@ $^ $(DOUBLE_CONVERSION) $(LIBRARIES) $(LDFLAGS)

build/option_files: $(B)/tools/option_files.o
	@$(CXX) $(LINK) -o $@ $<

build/share/man/%: WHAT = man
build/share/bash-completion/%: WHAT = bash
build/share/zsh/%: WHAT = zsh
build/share/fish/%: WHAT = fish
$(SHARED:%=build/%): build/option_files
	@mkdir -p $(@D)
	@build/option_files $(WHAT) > $@

build/compare: $(B)/perf/compare.o $(B)/runtime/base/statistics.o
	@$(CXX) $(LINK) -o $@ $^

test262-runner: build/test262/run
build/test262/run: $(CONFORMANCE_OBJECTS)
	@mkdir -p $(@D)
	@echo "  link $@"
	@$(CXX) $(LINK) -o $@ $^

build/differential: $(B)/tests/fuzz/differential.o $(B)/tests/fuzz/generator.o $(B)/tests/fuzz/expressions.o $(B)/tests/process.o
	@echo "  link $@"
	@$(CXX) $(LINK) -o $@ $^ -pthread $(LDFLAGS)

ifeq ($(CONFIG),fuzz)
FUZZERS := parse run json number property
fuzzers: $(FUZZERS:%=$(B)/%) $(B)/scr.dict
$(FUZZERS:%=$(B)/%): $(B)/%: $(B)/tests/fuzz/%.o $(B)/tests/fuzz/mutator.o $(ENGINE)
	@echo "  link $@"
	@$(CXX) $(LINK) -fsanitize=fuzzer -o $@ $^ $(DOUBLE_CONVERSION) $(LIBRARIES) -pthread $(LDFLAGS)
$(B)/scr.dict: tests/fuzz/dictionary.sh grammar/parser.y grammar/lexer.re runtime/core/names.def runtime/builtins/builtins.def
	@sh $< > $@
endif

# Written anew only when the flags changed, so that every object may depend on it.
$(B)/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(COMPILE) $(ENGINE_ONLY) $(VM_FLAGS)' | cmp -s - $@ || echo '$(COMPILE) $(ENGINE_ONLY) $(VM_FLAGS)' > $@

# Tests are compiled with exceptions (doctest needs them) and without much optimisation: they compile often, run once.
$(B)/tests/%.o: private ENGINE_ONLY := -fexceptions -pthread -O1
$(B)/interp/vm/interpreter.o: private EXTRA += $(VM_FLAGS)
ifeq ($(CONFIG),fuzz)
$(B)/interp/vm/interpreter_watched.o: private EXTRA += $(VM_FLAGS)
endif
# Inspection is much text and few loops: made small.
$(B)/runtime/builtins/inspect_%.o: private EXTRA += $(SMALL)
$(addprefix $(B)/runtime/builtins/,inspect.o format.o console_table.o): private EXTRA += $(SMALL)
# Tables of automata: the warnings of generated code are for the generator.
$(B)/gen/%.o: private EXTRA += -Wno-unused-but-set-variable -Wno-implicit-fallthrough

$(B)/gen/%.o: $(B)/gen/%.cpp $(B)/flags
	@echo "  c++ $@"
	@$(COMPILE) $(ENGINE_ONLY) -c -o $@ $<

$(B)/%.o: %.cpp $(B)/flags
	@mkdir -p $(@D)
	@echo "  c++ $@"
	@$(COMPILE) $(ENGINE_ONLY) -c -o $@ $<

$(B)/gen/lexer.cpp: grammar/lexer.re
	@mkdir -p $(@D)
	@echo "  re2c $@"
	@re2c -W -Werror --no-generation-date -o $@ $<

$(B)/gen/parser.cpp $(B)/gen/parser.h &: grammar/parser.y
	@mkdir -p $(@D)
	@echo "  bison $@"
	@bison -Wall -Wcounterexamples -Werror --header=$(B)/gen/parser.h -o $(B)/gen/parser.cpp $<

# The scripts among the modules, as strings.
STDLIB := $(sort $(wildcard stdlib/*.scr))
$(B)/gen/stdlib_sources.inc: $(STDLIB)
	@mkdir -p $(@D)
	@for file in $(STDLIB); do \
	    printf '{"%s", R"scr(' "$$(basename "$$file" .scr)"; cat "$$file"; printf ')scr"},\n'; done > $@
$(B)/stdlib/builtin_modules.o: | $(B)/gen/stdlib_sources.inc

# The generated header must exist before the first compilation; from then on the dependency files know who needs it.
$(OBJECTS) $(TEST_OBJECTS) $(patsubst %.cpp,$(B)/%.o,$(wildcard tests/fuzz/*.cpp)): | $(if $(wildcard grammar/parser.y),$(B)/gen/parser.h)

-include $(OBJECTS:.o=.d) $(CONFORMANCE_OBJECTS:.o=.d) $(TEST_OBJECTS:.o=.d) $(EXAMPLES:=.d) $(B)/perf/compare.d $(B)/tools/option_files.d
