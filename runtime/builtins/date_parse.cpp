// Date.parse: the interchange format (ECMA-262 21.4.1.32), and looser dates as V8 understands them.
//
// The text is read once, token by token. A date in the interchange format is taken as far as it goes; where the text
// turns out to be something else, the loose rules carry on from that token with the parts already read. Behind a `T`
// there is no way back.
#include "runtime/builtins/date_math.h"
#include "runtime/core/operations.h"
#include <cmath>

namespace scr {

namespace {

enum class TokenType : u8 { End, Number, Symbol, Space, Word, Other };
enum class WordType : u8 { Unknown, Month, HalfDay, Zone, TimeMark };

struct Token {
    TokenType type = TokenType::End;
    WordType word = WordType::Unknown;
    char16_t symbol = 0;
    u32 length = 0; ///< of a number or word, in units
    int value = 0; ///< of a number: its first nine significant digits; of a word: see Words

    bool is(char16_t wanted) const { return type == TokenType::Symbol && symbol == wanted; }
    bool isEnd() const { return type == TokenType::End; }
    bool isNumber() const { return type == TokenType::Number; }
    bool isDigits(u32 count) const { return isNumber() && length == count; }
    bool isDigits(u32 count, int least, int most) const { return isDigits(count) && value >= least && value <= most; }
    bool isSign() const { return is('+') || is('-'); }
    bool isTimeMark() const { return type == TokenType::Word && word == WordType::TimeMark; }
    bool isZ() const { return type == TokenType::Word && word == WordType::Zone && length == 1; }
};

/// Words by their first three letters; only months may be longer. Months from 1, half days and zones in hours.
constexpr struct {
    char letters[4];
    WordType type;
    int value;
} Words[] = {
    {"jan", WordType::Month, 1},
    {"feb", WordType::Month, 2},
    {"mar", WordType::Month, 3},
    {"apr", WordType::Month, 4},
    {"may", WordType::Month, 5},
    {"jun", WordType::Month, 6},
    {"jul", WordType::Month, 7},
    {"aug", WordType::Month, 8},
    {"sep", WordType::Month, 9},
    {"oct", WordType::Month, 10},
    {"nov", WordType::Month, 11},
    {"dec", WordType::Month, 12},
    {"am", WordType::HalfDay, 0},
    {"pm", WordType::HalfDay, 12},
    {"ut", WordType::Zone, 0},
    {"utc", WordType::Zone, 0},
    {"z", WordType::Zone, 0},
    {"gmt", WordType::Zone, 0},
    {"cdt", WordType::Zone, -5},
    {"cst", WordType::Zone, -6},
    {"edt", WordType::Zone, -4},
    {"est", WordType::Zone, -5},
    {"mdt", WordType::Zone, -6},
    {"mst", WordType::Zone, -7},
    {"pdt", WordType::Zone, -7},
    {"pst", WordType::Zone, -8},
    {"t", WordType::TimeMark, 0},
};

class Scanner {
public:
    explicit Scanner(const String* flat)
        : text_(flat) {
        next();
    }
    const Token& peek() const { return peeked_; }
    Token next() {
        Token token = peeked_;
        peeked_ = scan();
        return token;
    }
    bool skip(char16_t symbol) {
        if (!peeked_.is(symbol))
            return false;
        next();
        return true;
    }

private:
    bool atEnd() const { return position_ >= text_->length; }
    char16_t unit() const { return text_->unit(position_); }
    bool atDigit() const { return !atEnd() && unit() >= '0' && unit() <= '9'; }
    bool atLetter() const { return !atEnd() && unit() >= 'A' && !isSpace(unit()); }

    Token scan() {
        Token token;
        if (atEnd())
            return token;
        if (atDigit())
            return scanNumber();
        if (atLetter())
            return scanWord();
        token.symbol = unit();
        if (isSpace(unit())) {
            token.type = TokenType::Space;
            position_++;
        } else if (unit() == '(') {
            token.type = TokenType::Other;
            skipParentheses();
        } else {
            token.type = TokenType::Symbol;
            position_++;
        }
        return token;
    }

    Token scanNumber() {
        Token token;
        token.type = TokenType::Number;
        u32 begin = position_;
        while (atDigit() && unit() == '0')
            position_++;
        for (int digits = 0; atDigit(); position_++, digits++)
            if (digits < 9)
                token.value = token.value * 10 + (unit() - '0');
        token.length = position_ - begin;
        return token;
    }

    Token scanWord() {
        Token token;
        token.type = TokenType::Word;
        char16_t letters[3] = {};
        for (; atLetter(); position_++, token.length++)
            if (token.length < 3)
                letters[token.length] = unit() | 0x20;
        for (const auto& known : Words) {
            bool same = letters[0] == char16_t(known.letters[0]) && letters[1] == char16_t(known.letters[1])
                && letters[2] == char16_t(known.letters[2]);
            if (!same || (token.length > 3 && known.type != WordType::Month))
                continue;
            token.word = known.type;
            token.value = known.value;
        }
        return token;
    }

    void skipParentheses() {
        int depth = 0;
        do {
            depth += unit() == '(' ? 1 : unit() == ')' ? -1 : 0;
            position_++;
        } while (depth > 0 && !atEnd());
    }

    const String* text_;
    u32 position_ = 0;
    Token peeked_;
};

constexpr int None = INT32_MIN;

bool within(int value, int least, int most) { return value >= least && value <= most; }

/// Up to three numbers whose meaning shows at the end, and a month by name.
struct DayParts {
    int numbers[3] = {1, 1, 1};
    int count = 0, month = None;
    bool isIso = false;

    bool add(int number) {
        if (count == 3)
            return false;
        numbers[count++] = number;
        return true;
    }
    /// The day since 1970, or NaN.
    double resolve() const {
        auto isDay = [](int number) { return within(number, 1, 31); };
        if (count == 0)
            return NAN;
        int y, m, d;
        if (month == None && (isIso || !isDay(numbers[0])))
            y = numbers[0], m = numbers[1], d = numbers[2];
        else if (month == None)
            m = numbers[0], d = numbers[1], y = numbers[2];
        else if (!isDay(numbers[0]))
            m = month, y = numbers[0], d = numbers[1];
        else
            m = month, d = numbers[0], y = numbers[1];
        if (!isIso && within(y, 0, 99))
            y += y < 50 ? 2000 : 1900;
        return within(m, 1, 12) && isDay(d) ? makeDay(y, m - 1, d) : NAN;
    }
};

struct TimeParts {
    int numbers[4] = {};
    int count = 0, halfDay = None;

    bool add(int number) {
        if (count == 4)
            return false;
        numbers[count++] = number;
        return true;
    }
    /// The last one: what follows is not part of the time.
    void finish(int number) {
        numbers[count] = number;
        count = 4;
    }
    bool expects(int number) const {
        return (count == 1 && within(number, 0, 59)) || (count == 2 && within(number, 0, 59))
            || (count == 3 && within(number, 0, 999));
    }
    /// The time within the day, or NaN.
    double resolve() {
        if (halfDay != None) {
            if (!within(numbers[0], 0, 12))
                return NAN;
            numbers[0] = numbers[0] % 12 + halfDay;
        }
        bool fits = within(numbers[0], 0, 23) && within(numbers[1], 0, 59) && within(numbers[2], 0, 59)
            && within(numbers[3], 0, 999);
        bool isMidnight = numbers[0] == 24 && numbers[1] == 0 && numbers[2] == 0 && numbers[3] == 0;
        return fits || isMidnight ? makeTime(numbers[0], numbers[1], numbers[2], numbers[3]) : NAN;
    }
};

struct ZoneParts {
    int sign = None, hour = None, minute = None;

    void set(int hours) { sign = hours < 0 ? -1 : 1, hour = hours * sign, minute = 0; }
    bool isUtc() const { return hour == 0 && minute == 0; }
    bool expects(int number) const { return hour != None && minute == None && within(number, 0, 59); }
    double offset() const { return sign * ((hour == None ? 0 : hour) * 60.0 + (minute == None ? 0 : minute)); }
};

/// The digits behind a point, to thousandths.
int milliseconds(const Token& token) {
    int value = token.value;
    u32 length = token.length > 9 ? 9 : token.length;
    for (u32 i = length; i < 3; i++)
        value *= 10;
    for (u32 i = 3; i < length; i++)
        value /= 10;
    return value;
}

class DateParser {
public:
    explicit DateParser(const String* flat)
        : scanner_(flat) { }

    double parse() {
        Token token;
        if (!parseIso(token) || !parseLoose(token))
            return NAN;
        double time = makeDate(day_.resolve(), time_.resolve());
        return timeClip(zone_.sign == None ? utcFromLocal(time) : time - zone_.offset() * MsPerMinute);
    }

private:
    /// False: no date at all. `token` is the first one that is not part of the interchange format.
    bool parseIso(Token& token) {
        if (!parseIsoDay(token))
            return true;
        if (!scanner_.peek().isTimeMark()) {
            token = scanner_.next();
            if (!token.isEnd())
                return true;
            zone_.set(0);
        } else {
            scanner_.next();
            if (!parseIsoTime() || !scanner_.peek().isEnd())
                return false;
            token = scanner_.next();
        }
        day_.isIso = true;
        return true;
    }

    bool parseIsoDay(Token& token) {
        if (scanner_.peek().isSign()) {
            token = scanner_.next();
            if (!scanner_.peek().isDigits(6))
                return false;
            int year = scanner_.next().value;
            if (token.is('-') && year == 0)
                return false;
            day_.add(token.is('-') ? -year : year);
        } else if (scanner_.peek().isDigits(4)) {
            day_.add(scanner_.next().value);
        } else {
            token = scanner_.next();
            return false;
        }
        for (int most : {12, 31}) {
            if (!scanner_.skip('-'))
                return true;
            if (!scanner_.peek().isDigits(2, 1, most)) {
                token = scanner_.next();
                return false;
            }
            day_.add(scanner_.next().value);
        }
        return true;
    }

    bool addDigits(int most) {
        if (!scanner_.peek().isDigits(2, 0, most))
            return false;
        time_.add(scanner_.next().value);
        return true;
    }

    bool parseIsoTime() {
        bool isMidnight = scanner_.peek().value == 24;
        if (!addDigits(24) || !scanner_.skip(':') || !addDigits(isMidnight ? 0 : 59))
            return false;
        if (scanner_.skip(':')) {
            if (!addDigits(isMidnight ? 0 : 59))
                return false;
            if (scanner_.skip('.')) {
                if (!scanner_.peek().isNumber() || (isMidnight && scanner_.peek().value != 0))
                    return false;
                time_.add(milliseconds(scanner_.next()));
            }
        }
        return parseIsoZone();
    }

    bool parseIsoZone() {
        if (scanner_.peek().isZ()) {
            scanner_.next();
            zone_.set(0);
            return true;
        }
        if (!scanner_.peek().isSign())
            return true;
        zone_.sign = scanner_.next().is('+') ? 1 : -1;
        if (scanner_.peek().isDigits(4)) {
            int number = scanner_.next().value;
            zone_.hour = number / 100;
            zone_.minute = number % 100;
            return zone_.hour <= 23 && zone_.minute <= 59;
        }
        if (!scanner_.peek().isDigits(2, 0, 23))
            return false;
        zone_.hour = scanner_.next().value;
        if (!scanner_.skip(':') || !scanner_.peek().isDigits(2, 0, 59))
            return false;
        zone_.minute = scanner_.next().value;
        return true;
    }

    bool parseLoose(Token token) {
        seenNumber_ = day_.count > 0;
        for (; !token.isEnd(); token = scanner_.next()) {
            bool accepted = true;
            if (token.isNumber())
                accepted = addNumber(token);
            else if (token.type == TokenType::Word)
                accepted = addWord(token);
            else if (token.isSign() && (zone_.isUtc() || time_.count))
                accepted = addOffset(token);
            else if (token.isSign() || token.is(')'))
                accepted = !seenNumber_;
            if (!accepted)
                return false;
        }
        return true;
    }

    bool addNumber(const Token& token) {
        seenNumber_ = true;
        int number = token.value;
        if (scanner_.skip(':'))
            return addTime(number);
        if (scanner_.skip('.') && time_.expects(number)) {
            time_.add(number);
            if (!scanner_.peek().isNumber())
                return false;
            int fraction = milliseconds(scanner_.next());
            if (time_.count < 4)
                time_.finish(fraction);
            return true;
        }
        if (zone_.expects(number)) {
            zone_.minute = number;
            return true;
        }
        if (time_.expects(number)) {
            time_.finish(number);
            const Token& after = scanner_.peek();
            return after.isEnd() || after.type == TokenType::Space || after.isZ() || after.isSign();
        }
        scanner_.skip('-');
        return day_.add(number);
    }

    /// A number in front of a colon. Two colons leave out the minutes.
    bool addTime(int number) {
        if (!scanner_.skip(':')) {
            scanner_.skip('.');
            return time_.add(number);
        }
        return time_.count == 0 && time_.add(number) && time_.add(0);
    }

    bool addWord(const Token& token) {
        if (token.word == WordType::HalfDay && time_.count) {
            time_.halfDay = token.value;
        } else if (token.word == WordType::Month) {
            day_.month = token.value;
            scanner_.skip('-');
        } else if (token.word == WordType::Zone && seenNumber_) {
            zone_.set(token.value);
        } else {
            // Other words may stand before the first number, apart from it.
            return !seenNumber_ && !scanner_.peek().isNumber();
        }
        return true;
    }

    /// +h, +hh, +hmm, +hhmm, or +h: whose minutes follow.
    bool addOffset(const Token& sign) {
        zone_.sign = sign.is('+') ? 1 : -1;
        seenNumber_ = true;
        if (!scanner_.peek().isNumber())
            return false;
        Token token = scanner_.next();
        if (scanner_.peek().is(':')) {
            zone_.hour = token.value;
            zone_.minute = None;
            return true;
        }
        if (token.length > 4)
            return false;
        zone_.hour = token.length <= 2 ? token.value : token.value / 100;
        zone_.minute = token.length <= 2 ? 0 : token.value % 100;
        return true;
    }

    Scanner scanner_;
    DayParts day_;
    TimeParts time_;
    ZoneParts zone_;
    bool seenNumber_ = false;
};

}

double parseDate(const String* flat) { return DateParser(flat).parse(); }

}
