#!/bin/sh
# The C++ examples: runs each program that was built and compares what it prints with the .expected file beside its source.
#
#   tools/examples.sh build/CONFIG
passed=0 failed=0
for source in examples/*.cpp; do
    name=$(basename "$source" .cpp)
    if "$1/examples/$name" 2>&1 </dev/null | diff "examples/$name.expected" -; then
        passed=$((passed + 1))
    else
        echo "examples/$name.cpp: this is not what examples/$name.expected says"
        failed=$((failed + 1))
    fi
done
echo "examples: $passed passed, $failed failed"
[ $failed = 0 ]
