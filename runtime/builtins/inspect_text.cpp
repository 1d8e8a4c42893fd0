// Primitives as inspection shows them: quotes, escapes, numbers.
#include "runtime/base/utf.h"
#include "runtime/builtins/inspect_state.h"
#include "runtime/core/number.h"
#include "runtime/core/string_units.h"
#include <algorithm>

namespace scr {

// ---- strings

std::string textWithSurrogates(Vm& vm, String* string) {
    if (!string->isWide())
        return toUtf8(vm, string);
    std::string text;
    if (!string->isRope()) {
        appendUtf16AsUtf8(text, string->wide(), string->length, LoneSurrogates::Keep);
        return text;
    }
    std::u16string units(string->length, u'\0');
    copyString(units.data(), true, string);
    appendUtf16AsUtf8(text, units.data(), units.size(), LoneSurrogates::Keep);
    return text;
}

static void appendHex(std::string& out, u32 value, int digits, const char* alphabet) {
    for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4)
        out += alphabet[value >> shift & 15];
}

/// Control characters, the backslash and the quote in use; lone surrogates.
static void appendEscape(std::string& out, u32 unit) {
    switch (unit) {
    case '\b': out += "\\b"; return;
    case '\t': out += "\\t"; return;
    case '\n': out += "\\n"; return;
    case '\f': out += "\\f"; return;
    case '\r': out += "\\r"; return;
    case '\\': out += "\\\\"; return;
    case '\'': out += "\\'"; return;
    default: break;
    }
    if (unit < 256) {
        out += "\\x";
        appendHex(out, unit, 2, "0123456789ABCDEF");
    } else {
        out += "\\u";
        appendHex(out, unit, 4, "0123456789abcdef");
    }
}

template <class Unit> static void appendEscapedUnits(const Unit* p, const Unit* end, u32 quote, std::string& out) {
    while (p != end) {
        u32 unit = *p++;
        if (unit < 32 || unit == '\\' || unit == quote || unit - 0x7F < 0x21) {
            appendEscape(out, unit);
        } else if (unit < 0x7F) {
            out += char(unit);
        } else if (!isSurrogate(unit)) {
            appendUtf8(out, unit);
        } else if (isHighSurrogate(unit) && p != end && isLowSurrogate(*p)) {
            appendUtf8(out, combineSurrogates(char16_t(unit), char16_t(*p++)));
        } else {
            appendEscape(out, unit);
        }
    }
}

/// Single quotes unless there are some inside; then double quotes, then backticks, whichever need no escape.
template <class Unit> static char chooseQuote(const Unit* p, const Unit* end) {
    auto has = [&](char c) { return std::find(p, end, Unit(c)) != end; };
    if (!has('\''))
        return '\'';
    if (!has('"'))
        return '"';
    constexpr Unit substitution[] = {'$', '{'};
    return has('`') || std::search(p, end, substitution, substitution + 2) != end ? '\'' : '`';
}

template <class Unit> static void appendQuotedUnits(const Unit* p, const Unit* end, std::string& out) {
    char quote = chooseQuote(p, end);
    out += quote;
    appendEscapedUnits(p, end, quote == '\'' ? '\'' : 0, out);
    out += quote;
}

void appendQuotedText(const String* flat, u32 begin, u32 end, std::string& out) {
    if (flat->isWide())
        appendQuotedUnits(flat->wide() + begin, flat->wide() + end, out);
    else
        appendQuotedUnits(flat->latin1() + begin, flat->latin1() + end, out);
}

void appendEscapedText(const String* flat, std::string& out) {
    if (flat->isWide())
        appendEscapedUnits(flat->wide(), flat->wide() + flat->length, '\'', out);
    else
        appendEscapedUnits(flat->latin1(), flat->latin1() + flat->length, '\'', out);
}

Completion<void> Inspector::formatString(String* string, bool styled, std::string& out) {
    constexpr u32 leastToSplit = 16;
    String* flat = TRY(flatten(vm_, string));
    double most = options_.maxStringLength;
    u32 length = flat->length;
    if (most < length) // as slice(0, most) counts
        length = u32(most >= 0 ? most : std::max(0.0, length + std::ceil(most)));
    bool split = options_.compact != InspectOptions::CompactAll && length > leastToSplit
        && length > options_.breakLength - indentation_ - 4;
    auto appendPart = [&](u32 begin, u32 end) {
        std::string part;
        appendQuotedText(flat, begin, end, part);
        if (styled)
            style(part, TextStyle::String, out);
        else
            out += part;
    };
    u32 begin = 0;
    for (u32 i = 0; split && i + 1 < length; i++) {
        if (flat->unit(i) != '\n')
            continue;
        appendPart(begin, i + 1);
        out += " +\n";
        appendIndentation(out, 2);
        begin = i + 1;
    }
    appendPart(begin, length);
    TRY(vm_.work(length >> 6));
    if (most < flat->length) {
        NumberBuffer buffer;
        double remaining = flat->length - most;
        out += "... " + std::string(numberText(remaining, buffer))
            + (remaining > 1 ? " more characters" : " more character");
    }
    return {};
}

// ---- numbers

/// 1234567 -> 1_234_567
static std::string groupInteger(std::string_view digits) {
    std::string text(digits);
    size_t first = text.starts_with('-') ? 1 : 0;
    for (size_t i = text.size(); i >= first + 4;)
        text.insert(i -= 3, 1, '_');
    return text;
}
/// 1234567 -> 123_456_7
static std::string groupFraction(std::string_view digits) {
    std::string text;
    for (size_t i = 0; i < digits.size(); i++) {
        if (i && i % 3 == 0)
            text += '_';
        text += digits[i];
    }
    return text;
}

/// What Node makes of a number with an exponent and no point looks odd: its last character is taken for the point.
static std::string groupedNumber(double number, std::string_view text) {
    if (number != number)
        return std::string(text);
    if (number == std::trunc(number))
        return text.find_first_of("eI") != text.npos ? std::string(text) : groupInteger(text);
    size_t point = text.find('.');
    if (point == text.npos)
        return groupInteger(text.substr(0, text.size() - 1)) + '.' + groupFraction(text);
    return groupInteger(text.substr(0, point)) + '.' + groupFraction(text.substr(point + 1));
}

Completion<void> Inspector::formatNumber(double number, bool styled, std::string& out) {
    NumberBuffer buffer;
    std::string text(numberText(number, buffer));
    if (options_.numericSeparator)
        text = groupedNumber(number, text);
    else if (number == 0 && std::signbit(number))
        text = "-0";
    if (styled)
        style(text, TextStyle::Number, out);
    else
        out += text;
    return {};
}

Completion<void> Inspector::formatPrimitive(Value value, bool styled, std::string& out) {
    if (value.isString())
        return formatString(value.asString(), styled, out);
    if (value.isNumber())
        return formatNumber(value.asNumber(), styled, out);
    std::string text;
    TextStyle kind = TextStyle::Undefined;
    if (value.isBoolean()) {
        text = value.asBoolean() ? "true" : "false";
        kind = TextStyle::Boolean;
    } else if (value.isNull()) {
        text = "null";
        kind = TextStyle::Null;
    } else if (value.isSymbol()) {
        Value description = value.asSymbol()->description;
        text = "Symbol(" + (description.isString() ? textWithSurrogates(vm_, description.asString()) : "") + ")";
        kind = TextStyle::Symbol;
    } else if (value.isBigInt()) {
        text = textWithSurrogates(vm_, TRY(toString(vm_, value)));
        text = (options_.numericSeparator ? groupInteger(text) : text) + 'n';
        kind = TextStyle::BigInt;
    } else {
        text = "undefined";
    }
    if (styled)
        style(text, kind, out);
    else
        out += text;
    return {};
}

}
