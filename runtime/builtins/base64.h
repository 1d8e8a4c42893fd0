// Base64 and hexadecimal text (RFC 4648) to bytes and back, for Uint8Array, atob and btoa.
#pragma once
#include "runtime/builtins/native.h"
#include <vector>

namespace scr {

enum class Alphabet : u8 { Base64, Base64Url };
enum class LastChunk : u8 { Loose, Strict, StopBeforePartial };

/// What decoding came to: the bytes before an error are there, too.
struct Decoded {
    u64 read = 0; ///< units of the text
    std::vector<u8> bytes;
    const char* error = nullptr; ///< what is wrong
};
/// ECMA-262 23.3.3.6 FromBase64 of a flat string; at most `most` bytes.
Decoded decodeBase64(const String* text, Alphabet alphabet, LastChunk lastChunk, u64 most);
/// 23.3.3.7 FromHex.
Decoded decodeHex(const String* text, u64 most);
/// As Latin-1 text.
Completion<String*> encodeBase64(Vm& vm, const u8* bytes, u64 count, Alphabet alphabet, bool padded);
Completion<String*> encodeHex(Vm& vm, const u8* bytes, u64 count);

}
