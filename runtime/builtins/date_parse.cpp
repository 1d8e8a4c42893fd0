// Text to dates: the interchange format first, and what it does not cover by the words and numbers that people write.
#include "runtime/builtins/date_math.h"
#include <limits>

namespace scr {

namespace {

constexpr double NaN = std::numeric_limits<double>::quiet_NaN();

bool isDigit(char c) { return c >= '0' && c <= '9'; }
char lower(char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; }
bool isLetter(char c) { return lower(c) >= 'a' && lower(c) <= 'z'; }

struct Cursor {
    std::string_view text;
    size_t at = 0;
    char peek() const { return at < text.size() ? text[at] : '\0'; }
    bool take(char c) { return peek() == c && c ? (at++, true) : false; }
    bool done() const { return at == text.size(); }
    /// Exactly so many digits.
    bool digits(int count, double& value) {
        value = 0;
        for (int i = 0; i < count; i++, at++) {
            if (!isDigit(peek()))
                return false;
            value = value * 10 + (peek() - '0');
        }
        return true;
    }
};

/// "+01:00", "-0100", "Z"; `known` tells whether there was one.
bool zone(Cursor& c, double& offset, bool& known) {
    known = true;
    if (c.take('Z'))
        return true;
    double sign = c.peek() == '-' ? -1 : 1, hours = 0, minutes = 0;
    if (!c.take('+') && !c.take('-')) {
        known = false;
        return true;
    }
    if (!c.digits(2, hours) || (c.take(':'), !c.digits(2, minutes)) || hours > 23 || minutes > 59)
        return false;
    offset = sign * (hours * 60 + minutes);
    return true;
}

/// 21.4.1.32 Date Time String Format.
bool parseIso(std::string_view text, double& time) {
    Cursor c{text};
    double year = 0, month = 1, day = 1, hours = 0, minutes = 0, seconds = 0, milliseconds = 0, offset = 0;
    if (c.peek() == '+' || c.peek() == '-') {
        bool negative = c.take('-');
        if ((!negative && !c.take('+')) || !c.digits(6, year) || (negative && year == 0))
            return false;
        year = negative ? -year : year;
    } else if (!c.digits(4, year)) {
        return false;
    }
    if (c.take('-') && (!c.digits(2, month) || (c.take('-') && !c.digits(2, day))))
        return false;
    bool hasTime = c.take('T') || c.take('t') || (c.peek() == ' ' && c.at + 1 < text.size() && c.take(' '));
    bool known = false;
    if (hasTime) {
        if (!c.digits(2, hours) || !c.take(':') || !c.digits(2, minutes))
            return false;
        if (c.take(':')) {
            if (!c.digits(2, seconds))
                return false;
            if (c.take('.')) {
                if (!isDigit(c.peek()))
                    return false;
                for (double unit = 100; isDigit(c.peek()); unit /= 10, c.at++)
                    milliseconds += unit * (c.peek() - '0');
                milliseconds = std::trunc(milliseconds + 1e-6);
            }
        }
        if (!zone(c, offset, known))
            return false;
    }
    if (!c.done())
        return false;
    bool midnight = hours == 24 && minutes == 0 && seconds == 0 && milliseconds == 0;
    if (month < 1 || month > 12 || day < 1 || day > 31 || (hours > 23 && !midnight) || minutes > 59 || seconds > 59) {
        time = NaN;
        return true;
    }
    time = makeDate(makeDay(year, month - 1, day), makeTime(hours, minutes, seconds, milliseconds));
    // A date alone is in Greenwich, a date with a time where the machine stands.
    time = hasTime && !known ? utcFromLocal(time) : time - offset * MsPerMinute;
    return true;
}

/// What the words and numbers of a text say so far.
struct Loose {
    double numbers[3] = {};
    int numberCount = 0, month = -1;
    double hours = 0, minutes = 0, seconds = 0, milliseconds = 0, offset = 0;
    bool hasTime = false, hasZone = false, pm = false, am = false;

    bool word(std::string_view word);
    bool clock(Cursor& c, double first);
    bool number(Cursor& c);
    bool sign(Cursor& c);
    double result() const;
};

bool Loose::word(std::string_view text) {
    std::string name;
    for (char c : text)
        name += lower(c);
    if (name == "am" || name == "pm") {
        (name == "am" ? am : pm) = true;
        return true;
    }
    if (name == "z" || name == "gmt" || name == "ut" || name == "utc") {
        hasZone = true;
        return true;
    }
    struct Zone {
        const char* name;
        int hours;
    };
    for (Zone known :
        {Zone{"est", -5}, {"edt", -4}, {"cst", -6}, {"cdt", -5}, {"mst", -7}, {"mdt", -6}, {"pst", -8}, {"pdt", -7}})
        if (name == known.name) {
            hasZone = true;
            offset = known.hours * 60;
            return true;
        }
    if (name == "t" && numberCount)
        return true;
    for (int i = 0; i < 12 && name.size() >= 3; i++)
        if (lower(monthNames[i][0]) == name[0] && monthNames[i][1] == name[1] && monthNames[i][2] == name[2]) {
            month = i;
            return true;
        }
    // Days of the week, and any other word in front of the date, say nothing.
    return numberCount == 0 || name.size() >= 3;
}

bool Loose::clock(Cursor& c, double first) {
    hasTime = true;
    hours = first;
    double* parts[] = {&minutes, &seconds};
    for (double* part : parts) {
        if (!c.take(':'))
            break;
        double value = 0;
        int count = 0;
        for (; isDigit(c.peek()); c.at++, count++)
            value = value * 10 + (c.peek() - '0');
        if (!count)
            return false;
        *part = value;
    }
    if (c.take('.')) {
        for (double unit = 100; isDigit(c.peek()); unit /= 10, c.at++)
            milliseconds += unit * (c.peek() - '0');
        milliseconds = std::trunc(milliseconds + 1e-6);
    }
    return true;
}

bool Loose::number(Cursor& c) {
    double value = 0;
    for (; isDigit(c.peek()); c.at++)
        value = value * 10 + (c.peek() - '0');
    if (c.peek() == ':' && !hasTime)
        return clock(c, value);
    if (numberCount == 3)
        return false;
    numbers[numberCount++] = value;
    (void)(c.take('/') || (c.peek() == '-' && !hasTime && c.take('-')));
    return true;
}

/// A sign behind a time or a zone's name is an offset; elsewhere a minus separates.
bool Loose::sign(Cursor& c) {
    double sign = c.peek() == '-' ? -1 : 1;
    c.at++;
    bool isYear = sign < 0 && isDigit(c.peek()) && c.at >= 2 && c.text[c.at - 2] == ' ';
    if (!hasTime && !hasZone)
        return !isYear;
    double value = 0, minutesPart = 0;
    int count = 0;
    for (; isDigit(c.peek()); c.at++, count++)
        value = value * 10 + (c.peek() - '0');
    if (!count)
        return true;
    if (c.take(':')) {
        for (; isDigit(c.peek()); c.at++)
            minutesPart = minutesPart * 10 + (c.peek() - '0');
    } else if (count > 2) {
        minutesPart = std::fmod(value, 100);
        value = std::trunc(value / 100);
    }
    hasZone = true;
    offset = sign * (value * 60 + minutesPart);
    return true;
}

double Loose::result() const {
    double year, m, day;
    if (month >= 0) {
        if (numberCount < 1)
            return NaN;
        // Day and year in either order; without a year V8 takes 2001.
        bool dayFirst = numbers[0] >= 1 && numbers[0] <= 31;
        day = dayFirst ? numbers[0] : numberCount > 1 ? numbers[1] : 1;
        year = !dayFirst ? numbers[0] : numberCount > 1 ? numbers[1] : 2001;
        m = month;
    } else {
        if (numberCount < 1)
            return NaN;
        bool yearFirst = numbers[0] > 31 || (numbers[0] == 0 && numberCount == 1);
        year = yearFirst ? numbers[0] : numberCount > 2 ? numbers[2] : 2001;
        m = (!yearFirst ? numbers[0] : numberCount > 1 ? numbers[1] : 1) - 1;
        day = yearFirst ? (numberCount > 2 ? numbers[2] : 1) : numberCount > 1 ? numbers[1] : 1;
    }
    if (year < 50)
        year += 2000;
    else if (year < 100)
        year += 1900;
    double hour = hours;
    if ((am || pm) && (hour < 1 || hour > 12))
        return NaN;
    if (am || pm)
        hour = std::fmod(hour, 12) + (pm ? 12 : 0);
    if (m < 0 || m > 11 || day < 1 || day > 31 || hour > 24 || minutes > 59 || seconds > 59)
        return NaN;
    double time = makeDate(makeDay(year, m, day), makeTime(hour, minutes, seconds, milliseconds));
    return hasZone ? time - offset * MsPerMinute : utcFromLocal(time);
}

double parseLoose(std::string_view text) {
    Cursor c{text};
    Loose loose;
    while (!c.done()) {
        char next = c.peek();
        bool fine = true;
        if (next == '(') {
            int depth = 0;
            do {
                depth += c.peek() == '(' ? 1 : c.peek() == ')' ? -1 : 0;
                c.at++;
            } while (depth && !c.done());
        } else if (isLetter(next)) {
            size_t begin = c.at;
            while (isLetter(c.peek()))
                c.at++;
            fine = loose.word(text.substr(begin, c.at - begin));
            (void)c.take('.');
        } else if (isDigit(next)) {
            fine = loose.number(c);
        } else if (next == '+' || next == '-') {
            fine = loose.sign(c);
        } else if (next == ' ' || next == ',' || next == '\t' || next == '/' || next == '\n') {
            c.at++;
        } else {
            fine = false;
        }
        if (!fine)
            return NaN;
    }
    return loose.result();
}

}

double parseDate(std::string_view text) {
    double time = NaN;
    if (!parseIso(text, time))
        time = parseLoose(text);
    return timeClip(time);
}

}
