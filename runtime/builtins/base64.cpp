// Base64 and hexadecimal codecs. Nothing here runs script.
#include "runtime/builtins/base64.h"
#include <algorithm>

namespace scr {

static constexpr char base64Digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_";

/// The six bits of a digit; -1 if it is none of the alphabet.
static int digitValue(char16_t unit, Alphabet alphabet) {
    if (unit >= 'A' && unit <= 'Z')
        return unit - 'A';
    if (unit >= 'a' && unit <= 'z')
        return unit - 'a' + 26;
    if (unit >= '0' && unit <= '9')
        return unit - '0' + 52;
    bool url = alphabet == Alphabet::Base64Url;
    if (unit == (url ? '-' : '+'))
        return 62;
    return unit == (url ? '_' : '/') ? 63 : -1;
}

static bool isAsciiSpace(char16_t unit) {
    return unit == ' ' || unit == '\t' || unit == '\n' || unit == '\f' || unit == '\r';
}

static u32 skipSpace(const String* text, u32 at) {
    while (at < text->length && isAsciiSpace(text->unit(at)))
        at++;
    return at;
}

namespace {

/// Digits read since the last whole group of four.
struct DigitGroup {
    u32 bits = 0;
    u32 count = 0;

    void add(int digit) {
        bits = bits << 6 | u32(digit);
        count++;
    }
    bool hasStrayBits() const { return count == 2 ? bits & 15 : bits & 3; }
    /// The bytes of two to four digits.
    void flushTo(std::vector<u8>& bytes) {
        u32 whole = bits << (4 - count) * 6;
        for (u32 i = 0; i + 1 < count; i++)
            bytes.push_back(u8(whole >> (16 - 8 * i)));
        *this = {};
    }
};

class Base64Decoder {
public:
    Base64Decoder(const String* text, Alphabet alphabet, LastChunk lastChunk, u64 most)
        : text_(text)
        , alphabet_(alphabet)
        , lastChunk_(lastChunk)
        , most_(most) { }

    Decoded run() {
        while (most_ > 0 && step()) { }
        return std::move(result_);
    }

private:
    bool fail(const char* error) {
        result_.error = error;
        return false;
    }
    /// The text is used up, and what was read of it is decoded.
    bool finish() {
        group_.flushTo(result_.bytes);
        result_.read = text_->length;
        return false;
    }
    bool stopsBeforePartial() const { return lastChunk_ == LastChunk::StopBeforePartial; }

    /// One unit that is no space; false at the end.
    bool step() {
        at_ = skipSpace(text_, at_);
        if (at_ == text_->length)
            return end();
        char16_t unit = text_->unit(at_++);
        if (unit == '=')
            return padding();
        int digit = digitValue(unit, alphabet_);
        if (digit < 0)
            return fail("Invalid character in base64 text");
        // What does not fit any more is left unread, the whole group of it.
        u64 room = most_ - result_.bytes.size();
        if ((room == 1 && group_.count == 2) || (room == 2 && group_.count == 3))
            return false;
        group_.add(digit);
        if (group_.count < 4)
            return true;
        group_.flushTo(result_.bytes);
        result_.read = at_;
        return result_.bytes.size() < most_;
    }

    bool end() {
        if (group_.count == 0)
            return finish();
        if (stopsBeforePartial())
            return false;
        if (lastChunk_ == LastChunk::Strict)
            return fail("Missing padding at the end of base64 text");
        return group_.count == 1 ? fail("A single base64 digit at the end of the text") : finish();
    }

    bool padding() {
        if (group_.count < 2)
            return fail("Padding in the wrong place of base64 text");
        at_ = skipSpace(text_, at_);
        if (group_.count == 2) {
            if (at_ == text_->length)
                return !stopsBeforePartial() && fail("Incomplete padding at the end of base64 text");
            if (text_->unit(at_) == '=')
                at_ = skipSpace(text_, at_ + 1);
        }
        if (at_ < text_->length)
            return fail("Unexpected text behind the padding of base64 text");
        if (lastChunk_ == LastChunk::Strict && group_.hasStrayBits())
            return fail("Stray bits at the end of base64 text");
        return finish();
    }

    const String* text_;
    Alphabet alphabet_;
    LastChunk lastChunk_;
    u64 most_;
    u32 at_ = 0;
    DigitGroup group_;
    Decoded result_;
};

}

Decoded decodeBase64(const String* text, Alphabet alphabet, LastChunk lastChunk, u64 most) {
    return Base64Decoder(text, alphabet, lastChunk, most).run();
}

static int hexValue(char16_t unit) {
    if (unit >= '0' && unit <= '9')
        return unit - '0';
    unit |= 32;
    return unit >= 'a' && unit <= 'f' ? unit - 'a' + 10 : -1;
}

Decoded decodeHex(const String* text, u64 most) {
    Decoded result;
    if (text->length % 2) {
        result.error = "Hexadecimal text must have an even number of digits";
        return result;
    }
    while (result.read < text->length && result.bytes.size() < most) {
        int high = hexValue(text->unit(u32(result.read))), low = hexValue(text->unit(u32(result.read) + 1));
        if (high < 0 || low < 0) {
            result.error = "Invalid character in hexadecimal text";
            return result;
        }
        result.bytes.push_back(u8(high * 16 + low));
        result.read += 2;
    }
    return result;
}

Completion<String*> encodeBase64(Vm& vm, const u8* bytes, u64 count, Alphabet alphabet, bool padded) {
    u64 length = padded ? (count + 2) / 3 * 4 : count / 3 * 4 + (count % 3 ? count % 3 + 1 : 0);
    String* text = TRY(newUninitialized(vm, u32(std::min<u64>(length, ~0u)), false));
    auto* to = static_cast<u8*>(const_cast<void*>(text->data));
    auto digit = [alphabet](u32 value) -> u8 {
        return u8(base64Digits[value >= 62 && alphabet == Alphabet::Base64Url ? value + 2 : value]);
    };
    for (u64 i = 0; i < count; i += 3) {
        u32 here = u32(std::min<u64>(count - i, 3));
        u32 bits = u32(bytes[i]) << 16 | (here > 1 ? u32(bytes[i + 1]) << 8 : 0) | (here > 2 ? bytes[i + 2] : 0);
        for (u32 k = 0; k <= here; k++)
            *to++ = digit(bits >> (18 - 6 * k) & 63);
        for (u32 k = here; padded && k < 3; k++)
            *to++ = '=';
    }
    return text;
}

Completion<String*> encodeHex(Vm& vm, const u8* bytes, u64 count) {
    String* text = TRY(newUninitialized(vm, u32(std::min<u64>(count * 2, ~0u)), false));
    auto* to = static_cast<u8*>(const_cast<void*>(text->data));
    for (u64 i = 0; i < count; i++) {
        *to++ = u8("0123456789abcdef"[bytes[i] >> 4]);
        *to++ = u8("0123456789abcdef"[bytes[i] & 15]);
    }
    return text;
}

}
