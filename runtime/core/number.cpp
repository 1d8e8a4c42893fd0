// Numbers to text and back (ECMA-262 6.1.6.1.20, 7.1.4.1). The invariant: the shortest decimal digits that give the
// same double again, in ECMAScript's form; other radixes print the digits that V8 prints.
#include "runtime/core/number.h"
#include "runtime/core/operations.h"
#include "runtime/core/vm.h"
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace scr {

// ---- to text

/// Decimal digits of an int32, written backwards from `end`; returns where they begin.
static char* writeInteger(char* end, i32 value) {
    u32 rest = value < 0 ? 0u - u32(value) : u32(value);
    do {
        *--end = char('0' + rest % 10);
        rest /= 10;
    } while (rest);
    if (value < 0)
        *--end = '-';
    return end;
}

std::string_view numberText(double number, NumberBuffer& buffer) {
    bool fits = number >= -2147483648.0 && number <= 2147483647.0;
    if (i32 integer = fits ? i32(number) : 0; fits && double(integer) == number) {
        char* end = buffer.text + sizeof buffer.text;
        char* begin = writeInteger(end, integer);
        return {begin, size_t(end - begin)};
    }
    return shortestDecimal(number, buffer);
}

String* numberToString(Vm& vm, double number) {
    if (number >= 0 && number < 10 && number == std::floor(number))
        return unitString(vm, char16_t('0' + int(number)));
    u64 bits = std::bit_cast<u64>(number);
    Vm::NumberText& cached = vm.numberTexts[bits * 0x9E3779B97F4A7C15ull >> 58];
    if (cached.text && cached.bits == bits)
        return cached.text;
    NumberBuffer buffer;
    String* text = newAscii(vm, numberText(number, buffer));
    cached = {bits, text};
    return text;
}

namespace {

/// Digits of one number in a radix: integer part growing to the left, fraction to the right of the middle.
class RadixDigits {
public:
    RadixDigits(double value, int radix)
        : radix_(radix)
        , integer_(std::floor(value)) {
        double fraction = value - integer_;
        // Half the distance to the next double: digits below that say nothing about the value.
        double delta = std::max(0.5 * (std::nextafter(value, INFINITY) - value), 5e-324);
        if (fraction >= delta)
            writeFraction(fraction, delta);
        writeInteger();
    }
    void prepend(char c) { buffer_[--begin_] = c; }
    std::string_view text() const { return {buffer_ + begin_, size_t(end_ - begin_)}; }

private:
    static constexpr int Middle = 1100;

    static char digitOf(int value) { return "0123456789abcdefghijklmnopqrstuvwxyz"[value]; }
    static int valueOf(char digit) { return digit > '9' ? digit - 'a' + 10 : digit - '0'; }

    void writeFraction(double fraction, double delta) {
        buffer_[end_++] = '.';
        do {
            fraction *= radix_;
            delta *= radix_;
            int digit = int(fraction);
            buffer_[end_++] = digitOf(digit);
            fraction -= digit;
            bool up = fraction > 0.5 || (fraction == 0.5 && (digit & 1));
            if (up && fraction + delta > 1)
                return carry();
        } while (fraction >= delta);
    }

    /// Adds one to the last digit; digits that overflow disappear, at last the point too.
    void carry() {
        while (--end_ != Middle) {
            int value = valueOf(buffer_[end_]);
            if (value + 1 < radix_) {
                buffer_[end_++] = digitOf(value + 1);
                return;
            }
        }
        integer_ += 1;
    }

    void writeInteger() {
        // V8 writes zeros while what is left would still be beyond the precision.
        while (integer_ / radix_ >= 0x1p53) {
            integer_ /= radix_;
            prepend('0');
        }
        do {
            double digit = std::fmod(integer_, radix_);
            prepend(digitOf(int(digit)));
            integer_ = (integer_ - digit) / radix_;
        } while (integer_ > 0);
    }

    int radix_;
    double integer_;
    int begin_ = Middle, end_ = Middle;
    char buffer_[2 * Middle];
};

}

Completion<String*> numberToRadix(Vm& vm, double number, int radix) {
    if (radix == 10 || !std::isfinite(number))
        return numberToString(vm, number);
    RadixDigits digits(std::fabs(number), radix);
    if (number < 0)
        digits.prepend('-');
    return newAscii(vm, digits.text());
}

// ---- from text

/// WhiteSpace and LineTerminator (ECMA-262 12.2, 12.3).
bool isSpace(char16_t unit) {
    if (unit < 0x80)
        return unit == ' ' || (unit >= '\t' && unit <= '\r');
    return unit == 0xA0 || unit == 0x1680 || (unit >= 0x2000 && unit <= 0x200A) || unit == 0x2028 || unit == 0x2029
        || unit == 0x202F || unit == 0x205F || unit == 0x3000 || unit == 0xFEFF;
}

namespace {

/// Reads one StringNumericLiteral.
template <class Unit> class NumberReader {
public:
    NumberReader(const Unit* units, u32 length)
        : at_(units)
        , end_(units + length) { }

    double read() {
        while (at_ != end_ && isSpace(*at_))
            at_++;
        while (at_ != end_ && isSpace(end_[-1]))
            end_--;
        if (at_ == end_)
            return 0;
        if (end_ - at_ > 2 && *at_ == '0')
            if (unsigned bits = radixBits(at_[1]))
                return readRadix(bits);
        bool negative = *at_ == '-';
        if (negative || *at_ == '+')
            at_++;
        double magnitude = readDecimal();
        return negative ? -magnitude : magnitude;
    }

private:
    static unsigned radixBits(Unit unit) {
        switch (unit) {
        case 'x':
        case 'X': return 4;
        case 'o':
        case 'O': return 3;
        case 'b':
        case 'B': return 1;
        default: return 0;
        }
    }
    static bool isDigit(Unit unit) { return unit >= '0' && unit <= '9'; }
    static unsigned digitValue(Unit unit) {
        if (isDigit(unit))
            return unit - '0';
        unsigned lower = unit | 0x20;
        return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : 99;
    }

    double readRadix(unsigned bits) {
        u64 value = 0;
        int exponent = 0;
        bool rest = false; // digits that no longer fit
        for (at_ += 2; at_ != end_; at_++) {
            unsigned digit = digitValue(*at_);
            if (digit >> bits)
                return NAN;
            if (value >> 59) {
                exponent += int(bits);
                rest |= digit != 0;
            } else {
                value = value << bits | digit;
            }
        }
        // More than 54 bits are in use if any are left out: the lowest one only decides how to round.
        return std::ldexp(double(value | u64(rest)), exponent);
    }

    /// Digits as an exact integer; false when there are too many for that.
    bool readShort(double& result) const {
        if (end_ - at_ > 15)
            return false;
        u64 value = 0;
        for (const Unit* p = at_; p != end_; p++) {
            if (!isDigit(*p))
                return false;
            value = value * 10 + (*p - '0');
        }
        result = double(value);
        return true;
    }

    void skipDigits(const Unit*& p) const {
        while (p != end_ && isDigit(*p))
            p++;
    }

    /// StrUnsignedDecimalLiteral, Infinity left aside.
    bool isDecimal() const {
        const Unit* p = at_;
        skipDigits(p);
        bool hasDigits = p != at_;
        if (p != end_ && *p == '.') {
            const Unit* fraction = ++p;
            skipDigits(p);
            hasDigits |= p != fraction;
        }
        if (!hasDigits)
            return false;
        if (p == end_ || (*p | 0x20) != 'e')
            return p == end_;
        if (++p != end_ && (*p == '+' || *p == '-'))
            p++;
        const Unit* exponent = p;
        skipDigits(p);
        return p == end_ && p != exponent;
    }

    double readDecimal() {
        if (at_ == end_)
            return NAN;
        double result;
        if (readShort(result))
            return result;
        static constexpr std::string_view Infinity = "Infinity";
        if (size_t(end_ - at_) == Infinity.size() && std::equal(at_, end_, Infinity.begin()))
            return INFINITY;
        if (!isDecimal())
            return NAN;
        if constexpr (sizeof(Unit) == 1)
            return scr::readDecimal(reinterpret_cast<const char*>(at_), size_t(end_ - at_));
        // Nothing but ASCII is left.
        std::string text(at_, end_);
        return scr::readDecimal(text.data(), text.size());
    }

    const Unit* at_;
    const Unit* end_;
};

}

// 7.1.4.1.1 StringToNumber ( str )
double stringToNumber(const String* flat) {
    return flat->isWide() ? NumberReader(flat->wide(), flat->length).read()
                          : NumberReader(flat->latin1(), flat->length).read();
}

}
