// UTF-8, UTF-16 and Latin-1; runs of ASCII are copied eight bytes at a time.
#include "runtime/base/utf.h"
#include <cstring>

namespace scr {

u32 decodeUtf8(const u8*& p, const u8* end) {
    u32 first = *p++;
    if (first < 0x80)
        return first;
    if (first < 0xC2 || first > 0xF4)
        return ReplacementCharacter;
    unsigned more = first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
    u32 codePoint = first & (0x3F >> more);
    // The second byte's range excludes overlong forms and what lies above U+10FFFF.
    u8 low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    u8 high = first == 0xF4 ? 0x8F : 0xBF;
    for (; more; more--) {
        if (p == end || *p < low || *p > high)
            return ReplacementCharacter;
        codePoint = codePoint << 6 | (*p++ & 0x3F);
        low = 0x80;
        high = 0xBF;
    }
    return codePoint;
}

unsigned encodeUtf8(u32 codePoint, char* out) {
    if (codePoint < 0x80) {
        out[0] = char(codePoint);
        return 1;
    }
    if (codePoint < 0x800) {
        out[0] = char(0xC0 | codePoint >> 6);
        out[1] = char(0x80 | (codePoint & 0x3F));
        return 2;
    }
    if (codePoint < 0x10000) {
        out[0] = char(0xE0 | codePoint >> 12);
        out[1] = char(0x80 | (codePoint >> 6 & 0x3F));
        out[2] = char(0x80 | (codePoint & 0x3F));
        return 3;
    }
    out[0] = char(0xF0 | codePoint >> 18);
    out[1] = char(0x80 | (codePoint >> 12 & 0x3F));
    out[2] = char(0x80 | (codePoint >> 6 & 0x3F));
    out[3] = char(0x80 | (codePoint & 0x3F));
    return 4;
}

void appendUtf8(std::string& text, u32 codePoint) {
    char bytes[4];
    text.append(bytes, encodeUtf8(codePoint, bytes));
}

namespace {

/// How many of the first bytes are ASCII, in steps of eight (and then of one).
size_t asciiPrefix(const u8* bytes, size_t count) {
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        u64 word;
        memcpy(&word, bytes + i, 8);
        if (word & 0x8080808080808080ull)
            break;
    }
    while (i < count && bytes[i] < 0x80)
        i++;
    return i;
}

const u8* bytesOf(std::string_view text) { return reinterpret_cast<const u8*>(text.data()); }

}

bool isAscii(const void* bytes, size_t count) { return asciiPrefix(static_cast<const u8*>(bytes), count) == count; }

Utf8Measure measureUtf8(std::string_view text) {
    Utf8Measure measure;
    const u8 *p = bytesOf(text), *end = p + text.size();
    while (p < end) {
        size_t plain = asciiPrefix(p, size_t(end - p));
        p += plain;
        measure.units += plain;
        if (p == end)
            break;
        u32 codePoint = decodeUtf8(p, end);
        measure.units += codePoint >= 0x10000 ? 2 : 1;
        measure.ascii = false;
        if (codePoint >= 256)
            measure.latin1 = false;
    }
    return measure;
}

void utf8ToLatin1(std::string_view text, u8* out) {
    const u8 *p = bytesOf(text), *end = p + text.size();
    while (p < end) {
        size_t plain = asciiPrefix(p, size_t(end - p));
        memcpy(out, p, plain);
        out += plain;
        p += plain;
        if (p < end)
            *out++ = u8(decodeUtf8(p, end));
    }
}

void utf8ToUtf16(std::string_view text, char16_t* out) {
    const u8 *p = bytesOf(text), *end = p + text.size();
    while (p < end) {
        size_t plain = asciiPrefix(p, size_t(end - p));
        widen(p, plain, out);
        out += plain;
        p += plain;
        if (p == end)
            break;
        u32 codePoint = decodeUtf8(p, end);
        if (codePoint >= 0x10000) {
            *out++ = highSurrogate(codePoint);
            *out++ = lowSurrogate(codePoint);
        } else {
            *out++ = char16_t(codePoint);
        }
    }
}

bool fitsLatin1(const char16_t* units, size_t count) {
    size_t i = 0;
    for (; i + 16 <= count; i += 16) {
        u32 all = 0;
        for (size_t j = 0; j < 16; j++)
            all |= units[i + j];
        if (all > 0xFF)
            return false;
    }
    for (; i < count; i++)
        if (units[i] > 0xFF)
            return false;
    return true;
}

void narrow(const char16_t* units, size_t count, u8* out) {
    for (size_t i = 0; i < count; i++)
        out[i] = u8(units[i]);
}

void widen(const u8* units, size_t count, char16_t* out) {
    for (size_t i = 0; i < count; i++)
        out[i] = units[i];
}

void appendLatin1AsUtf8(std::string& text, const u8* units, size_t count) {
    while (count) {
        size_t plain = asciiPrefix(units, count);
        text.append(reinterpret_cast<const char*>(units), plain);
        units += plain;
        count -= plain;
        if (!count)
            break;
        appendUtf8(text, *units++);
        count--;
    }
}

void appendUtf16AsUtf8(std::string& text, const char16_t* units, size_t count, LoneSurrogates lone) {
    for (size_t i = 0; i < count; i++) {
        u32 codePoint = units[i];
        if (isHighSurrogate(codePoint) && i + 1 < count && isLowSurrogate(units[i + 1]))
            codePoint = combineSurrogates(units[i], units[i + 1]), i++;
        else if (isSurrogate(codePoint) && lone == LoneSurrogates::Replace)
            codePoint = ReplacementCharacter;
        appendUtf8(text, codePoint);
    }
}

}
