// encodeURI and its family (ECMA-262 19.2.6), escape and unescape (B.2.1).
#include "runtime/builtins/native.h"

namespace scr {

namespace {

constexpr std::string_view Alphanumeric = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
constexpr std::string_view UriMark = "-_.!~*'()";
constexpr std::string_view UriReserved = ";/?:@&=+$,";
constexpr std::string_view Escaped = "@*_+-./";

/// A set of ASCII characters.
class CharacterSet {
public:
    constexpr CharacterSet(std::initializer_list<std::string_view> parts) {
        for (std::string_view part : parts)
            for (char c : part)
                bits_[u8(c) >> 6] |= u64(1) << (c & 63);
    }
    constexpr bool has(u32 unit) const { return unit < 128 && (bits_[unit >> 6] >> (unit & 63) & 1); }

private:
    u64 bits_[2] = {};
};
constexpr CharacterSet uriUnescaped{Alphanumeric, UriMark};
constexpr CharacterSet uriUnescapedReserved{Alphanumeric, UriMark, UriReserved, "#"};
constexpr CharacterSet reservedSet{UriReserved, "#"};
constexpr CharacterSet nothing{};
constexpr CharacterSet escapeUnescaped{Alphanumeric, Escaped};

void appendHex(StringBuilder& text, u32 value, int digits) {
    for (int shift = (digits - 1) * 4; shift >= 0; shift -= 4)
        text.append(char16_t("0123456789ABCDEF"[value >> shift & 15]));
}

void appendOctets(StringBuilder& text, u32 point) {
    auto octet = [&](u32 value) {
        text.append(u'%');
        appendHex(text, value, 2);
    };
    if (point < 0x80)
        return octet(point);
    int trailing = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
    octet((0xFF00u >> (trailing + 1) & 0xFF) | point >> (6 * trailing));
    while (trailing-- > 0)
        octet(0x80 | (point >> (6 * trailing) & 63));
}

bool isLead(u32 unit) { return (unit & 0xFC00) == 0xD800; }
bool isTrail(u32 unit) { return (unit & 0xFC00) == 0xDC00; }

/// 19.2.6.5 Encode.
Result encode(Vm& vm, Value value, const CharacterSet& unescaped) {
    String* string = TRY(flatten(vm, TRY(toString(vm, value))));
    TRY(vm.work(string->length));
    StringBuilder text(vm);
    for (u32 i = 0; i < string->length; i++) {
        u32 point = string->unit(i);
        if (unescaped.has(point)) {
            text.append(char16_t(point));
            continue;
        }
        if (isLead(point) && i + 1 < string->length && isTrail(string->unit(i + 1)))
            point = 0x10000 + ((point & 0x3FF) << 10) + (string->unit(++i) & 0x3FF);
        else if (isLead(point) || isTrail(point))
            return throwError(vm, Error::UriMalformed);
        appendOctets(text, point);
    }
    return Value::string(TRY(text.finish()));
}

int hexValue(u32 unit) {
    if (unit >= '0' && unit <= '9')
        return int(unit) - '0';
    u32 lower = unit | 32;
    return lower >= 'a' && lower <= 'f' && unit < 128 ? int(lower) - 'a' + 10 : -1;
}

/// `digits` hexadecimal digits at `at`, or -1.
i32 readHex(const String* string, u32 at, u32 digits) {
    if (at + digits > string->length)
        return -1;
    i32 value = 0;
    for (u32 i = 0; i < digits; i++) {
        int digit = hexValue(string->unit(at + i));
        if (digit < 0)
            return -1;
        value = value << 4 | digit;
    }
    return value;
}

i32 readOctet(const String* string, u32 at) {
    return at < string->length && string->unit(at) == '%' ? readHex(string, at + 1, 2) : -1;
}

/// One code point from its octets; `at` moves behind them. -1 if they are no well-formed UTF-8.
i32 readPoint(const String* string, u32& at) {
    i32 first = readOctet(string, at);
    at += 3;
    if (first < 0x80)
        return first;
    int trailing = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
    if (first < 0xC2 || first > 0xF4)
        return -1;
    i32 point = first & (0x3F >> trailing);
    for (int i = 0; i < trailing; i++, at += 3) {
        i32 octet = readOctet(string, at);
        if (octet < 0 || (octet & 0xC0) != 0x80)
            return -1;
        point = point << 6 | (octet & 63);
    }
    constexpr i32 Smallest[] = {0, 0x80, 0x800, 0x10000};
    return point < Smallest[trailing] || point > 0x10FFFF || (point & ~0x7FF) == 0xD800 ? -1 : point;
}

/// 19.2.6.6 Decode.
Result decode(Vm& vm, Value value, const CharacterSet& preserved) {
    String* string = TRY(flatten(vm, TRY(toString(vm, value))));
    TRY(vm.work(string->length));
    StringBuilder text(vm);
    for (u32 i = 0; i < string->length;) {
        if (string->unit(i) != '%') {
            text.append(string->unit(i++));
            continue;
        }
        u32 start = i;
        i32 point = readPoint(string, i);
        if (point < 0)
            return throwError(vm, Error::UriMalformed);
        if (preserved.has(u32(point))) {
            text.appendUnits(string, start, i);
        } else if (point < 0x10000) {
            text.append(char16_t(point));
        } else {
            text.append(char16_t(0xD7C0 + (point >> 10)));
            text.append(char16_t(0xDC00 | (point & 0x3FF)));
        }
    }
    return Value::string(TRY(text.finish()));
}

}

// 19.2.6.1 decodeURI ( encodedURI )
Result global_decodeURI(Vm& vm, Args args) { return decode(vm, args[0], reservedSet); }

// 19.2.6.2 decodeURIComponent ( encodedURIComponent )
Result global_decodeURIComponent(Vm& vm, Args args) { return decode(vm, args[0], nothing); }

// 19.2.6.3 encodeURI ( uri )
Result global_encodeURI(Vm& vm, Args args) { return encode(vm, args[0], uriUnescapedReserved); }

// 19.2.6.4 encodeURIComponent ( uriComponent )
Result global_encodeURIComponent(Vm& vm, Args args) { return encode(vm, args[0], uriUnescaped); }

// B.2.1.1 escape ( string )
Result global_escape(Vm& vm, Args args) {
    String* string = TRY(flatten(vm, TRY(toString(vm, args[0]))));
    StringBuilder text(vm);
    for (u32 i = 0; i < string->length; i++) {
        u32 unit = string->unit(i);
        if (escapeUnescaped.has(unit)) {
            text.append(char16_t(unit));
            continue;
        }
        text.appendAscii(unit < 256 ? "%" : "%u");
        appendHex(text, unit, unit < 256 ? 2 : 4);
    }
    return Value::string(TRY(text.finish()));
}

// B.2.1.2 unescape ( string )
Result global_unescape(Vm& vm, Args args) {
    String* string = TRY(flatten(vm, TRY(toString(vm, args[0]))));
    StringBuilder text(vm);
    for (u32 i = 0; i < string->length; i++) {
        i32 unit = -1;
        if (string->unit(i) == '%') {
            bool wide = i + 1 < string->length && string->unit(i + 1) == 'u';
            unit = wide ? readHex(string, i + 2, 4) : readHex(string, i + 1, 2);
            if (unit >= 0)
                i += wide ? 5 : 2;
        }
        text.append(unit >= 0 ? char16_t(unit) : string->unit(i));
    }
    return Value::string(TRY(text.finish()));
}

}
