// What --explain-shapes counts, between site_watch.cpp (counting) and shape_report.cpp (telling).
#pragma once
#include "interp/vm/shape_report.h"
#include <string>
#include <unordered_map>

namespace scr {

/// An instruction of a script; no code = made by the engine itself.
struct Birth {
    Code* code;
    u32 word;
};

/// A shape as it was when a site first met it.
struct SeenShape {
    std::vector<u64> keys; ///< PropertyKey bits, in order
    std::vector<u8> attributes; ///< of each
    std::vector<Birth> births; ///< where each was added first
    std::string className;
    Object* prototype;
    Birth birth; ///< of the shape itself
    u8 capacity;
    Kind kind;
    bool isUnique, isPrototype;
};

struct SiteShape {
    u32 key; ///< type key
    u64 times, misses;
};

struct Site {
    const u64* pc;
    Code* code;
    Op op; ///< its first form
    std::vector<SiteShape> shapes;
    u64 times = 0, misses = 0;
    u64 otherTimes = 0; ///< with shapes beyond the first MostShapes
};
constexpr size_t MostShapes = 32;
/// The property key that a site names.
Value siteName(Op first, const u64* pc, Code* code);

struct SiteWatch {
    std::vector<Birth> births; ///< by shape id: the instruction that was running when it was made
    std::unordered_map<const u64*, u32> siteOfPc;
    std::vector<Site> sites;
    std::unordered_map<u32, SeenShape> seen; ///< by shape id
    Code* lastCode = nullptr;
    const u64* lastPc = nullptr;
};

}
