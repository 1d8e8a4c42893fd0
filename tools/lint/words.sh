#!/bin/sh
# What may not stand in the sources of the engine: heavy headers that would come into the binary or its start, mimalloc
# anywhere but in its one file, notes to oneself, paths of somebody's machine.
status=0
engine="runtime grammar interp stdlib"
all="$engine tests perf examples tools Makefile .ci"
bad() { status=1; }

grep -rnE '#[ ]*include <(iostream|fstream|sstream|iomanip|locale|regex|functional|codecvt|thread|future)>|std::(function|regex|stringstream|ostringstream|locale)\b' $engine --include='*.h' --include='*.cpp' --include='*.re' --include='*.y' && bad
grep -rnwE 'mimalloc\.h|mi_[a-z_]+' $engine --include='*.h' --include='*.cpp' | grep -v '^runtime/heap/allocator.cpp:' && bad
# TODO is a word of TAP.
grep -rnE '\b(TODO|FIXME|XXX|HACK)\b' $all --exclude=words.sh --exclude='*.expected' --exclude=test_report_text.scr && bad
grep -rnE '(^|[^A-Za-z0-9_.])/(root|work|home)/' $all --exclude=words.sh && bad
grep -rnE '\b(throw|catch|dynamic_cast|typeid)\b *[({]' $engine --include='*.h' --include='*.cpp' | grep -vE '//|"' && bad
exit $status
