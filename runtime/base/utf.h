// Text encodings. Bytes from outside are WTF-8: UTF-8 in which a lone surrogate may stand as three bytes. What is not
// valid becomes U+FFFD, one for each maximal part of a sequence (Unicode 3.9, "U+FFFD Substitution of Maximal
// Subparts").
#pragma once
#include "runtime/base/platform.h"
#include <string>
#include <string_view>

namespace scr {

constexpr u32 ReplacementCharacter = 0xFFFD;

constexpr bool isSurrogate(u32 unit) { return (unit & 0xFFFFF800) == 0xD800; }
constexpr bool isHighSurrogate(u32 unit) { return (unit & 0xFFFFFC00) == 0xD800; }
constexpr bool isLowSurrogate(u32 unit) { return (unit & 0xFFFFFC00) == 0xDC00; }
constexpr u32 combineSurrogates(char16_t high, char16_t low) {
    return 0x10000 + ((u32(high) - 0xD800) << 10) + (u32(low) - 0xDC00);
}
constexpr char16_t highSurrogate(u32 codePoint) { return char16_t(0xD800 + ((codePoint - 0x10000) >> 10)); }
constexpr char16_t lowSurrogate(u32 codePoint) { return char16_t(0xDC00 + (codePoint & 0x3FF)); }

/// The code point at p < end; p moves behind it. A lone surrogate comes back as it is.
u32 decodeUtf8(const u8*& p, const u8* end);
/// 1 to 4 bytes at out; how many. Surrogates are written as three bytes.
unsigned encodeUtf8(u32 codePoint, char* out);
void appendUtf8(std::string& text, u32 codePoint);

/// What a text in UTF-8 becomes.
struct Utf8Measure {
    size_t units = 0; ///< UTF-16 code units
    bool ascii = true; ///< every unit is below 128
    bool latin1 = true; ///< every unit is below 256
};
Utf8Measure measureUtf8(std::string_view text);
/// Known: measureUtf8 said latin1; out has room for `units`.
void utf8ToLatin1(std::string_view text, u8* out);
void utf8ToUtf16(std::string_view text, char16_t* out);

bool isAscii(const void* bytes, size_t count);
/// Every unit is below 256.
bool fitsLatin1(const char16_t* units, size_t count);
void narrow(const char16_t* units, size_t count, u8* out);
void widen(const u8* units, size_t count, char16_t* out);

enum class LoneSurrogates { Replace, Keep };
void appendLatin1AsUtf8(std::string& text, const u8* units, size_t count);
/// A lone surrogate becomes U+FFFD, or three bytes of WTF-8.
void appendUtf16AsUtf8(
    std::string& text, const char16_t* units, size_t count, LoneSurrogates lone = LoneSurrogates::Replace);

}
