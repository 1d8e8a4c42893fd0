// A single pass over the pattern. Groups are kept on a stack, so any depth of them is fine; only nested classes of the
// v flag recurse, with a limit. The invariant: every method stops at the end of the pattern, where peek() is `end`.
#include "grammar/regexp_syntax.h"

#include "grammar/identifier.h"
#include "grammar/scopes.h"

#include <vector>

namespace scr {

namespace {

constexpr u32 end = ~0u;
constexpr u32 noValue = ~0u - 1; // of a class atom that is a set
constexpr int maximumClassDepth = 500;

class PatternChecker {
public:
    PatternChecker(const Name& pattern, bool isUnicode, bool isSets)
        : pattern_(pattern)
        , isUnicode_(isUnicode || isSets)
        , isSets_(isSets) { }

    const char* run();

private:
    struct Group {
        u32 id;
        u32 alternative;
        bool isQuantifiable;
    };
    struct NamedGroup {
        std::u32string name;
        std::vector<Group> path; // the groups around it, with the alternative it is in
    };

    // ---- Characters: code points with u or v, else UTF-16 units ----
    u32 unit(u32 at) const { return pattern_.isLatin1 ? pattern_.latin1[at] : pattern_.utf16[at]; }
    u32 peekAt(u32 at, u32* length, bool pairs) const {
        *length = 1;
        if (at >= pattern_.length)
            return end;
        u32 first = unit(at);
        if (!pairs || (first & 0xfffffc00) != 0xd800 || at + 1 >= pattern_.length)
            return first;
        u32 second = unit(at + 1);
        if ((second & 0xfffffc00) != 0xdc00)
            return first;
        *length = 2;
        return 0x10000 + ((first & 0x3ff) << 10) + (second & 0x3ff);
    }
    u32 peek(u32 ahead = 0) const {
        u32 length;
        return at_ + ahead > pattern_.length ? end : peekAt(at_ + ahead, &length, isUnicode_);
    }
    u32 next() {
        u32 length;
        u32 character = peekAt(at_, &length, isUnicode_);
        at_ += character == end ? 0 : length;
        return character;
    }
    bool eat(u32 character) {
        if (peek() != character)
            return false;
        next();
        return true;
    }
    bool fail(const char* message) {
        if (!message_)
            message_ = message;
        at_ = pattern_.length;
        return false;
    }

    static bool isDigit(u32 c) { return c >= '0' && c <= '9'; }
    static bool isLetter(u32 c) { return c < 0x80 && (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }
    static int hexValue(u32 c) {
        return isDigit(c) ? int(c - '0') : isLetter(c) && (c | 0x20) <= 'f' ? int((c | 0x20) - 'a') + 10 : -1;
    }
    static bool isSyntaxCharacter(u32 c) {
        return c < 0x80 && c && std::string_view("^$\\.*+?()[]{}|/").find(char(c)) != std::string_view::npos;
    }

    void findNamedGroups();
    void term();
    void openGroup();
    bool modifiers();
    bool groupName(std::u32string& name);
    void addName(std::u32string name);
    void closeGroup();
    void quantifier(bool isQuantifiable);
    bool braces(bool& isOrdered);
    u32 number(bool& isTooLarge);
    void atomEscape();
    u32 characterEscape(bool inClass);
    bool hexDigits(int count, u32& value);
    u32 unicodeEscape();
    void propertyEscape(bool isNegated);
    void oldClass();
    u32 oldClassAtom();
    bool isPair(u32 c) const { return peek() == c && peek(1) == c; }
    bool setClass(int depth);
    void setOperation(int depth, u32 op, bool& hasStrings);
    void setUnion(int depth, u32 value, bool& hasStrings);
    void setOperand(int depth, u32& value, bool& hasStrings);
    bool setStrings();
    u32 setCharacter();
    bool isClassEscape(u32 c) const { return c == 'd' || c == 'D' || c == 's' || c == 'S' || c == 'w' || c == 'W'; }
    void finish();

    const Name& pattern_;
    bool isUnicode_;
    bool isSets_;
    bool hasNamedGroups_ = false;
    bool propertyHasStrings_ = false;
    u32 at_ = 0;
    u32 groupCount_ = 0;
    u32 nextGroupId_ = 1;
    u32 largestBackReference_ = 0;
    const char* message_ = nullptr;
    std::vector<Group> open_;
    std::vector<NamedGroup> names_;
    std::vector<std::u32string> nameReferences_;
};

/// Without u, \k is a letter unless the pattern has a named group (B.1.2.1): find that out first.
void PatternChecker::findNamedGroups() {
    hasNamedGroups_ = isUnicode_;
    bool inClass = false;
    for (u32 i = 0; i + 3 < pattern_.length && !hasNamedGroups_; i++) {
        u32 c = unit(i);
        if (c == '\\')
            i++;
        else if (c == '[' || c == ']')
            inClass = c == '[';
        else if (c == '(' && !inClass && unit(i + 1) == '?' && unit(i + 2) == '<')
            hasNamedGroups_ = unit(i + 3) != '=' && unit(i + 3) != '!';
    }
}

const char* PatternChecker::run() {
    findNamedGroups();
    open_.push_back({0, 0, true});
    while (peek() != end)
        term();
    finish();
    return message_;
}

void PatternChecker::finish() {
    if (message_)
        return;
    if (open_.size() > 1)
        fail("Unterminated group");
    if (isUnicode_ && largestBackReference_ > groupCount_)
        fail("Invalid escape");
    for (const std::u32string& reference : nameReferences_) {
        bool isKnown = false;
        for (const NamedGroup& group : names_)
            isKnown = isKnown || group.name == reference;
        if (!isKnown)
            fail("Invalid named capture referenced");
    }
}

// ---- Terms (22.2.1) ---------------------------------------------------------------------------------------------

void PatternChecker::term() {
    bool isOrdered = true;
    switch (u32 c = next()) {
    case '^':
    case '$': return;
    case '(': return openGroup();
    case ')': return closeGroup();
    case '|': open_.back().alternative++; return;
    case '*':
    case '+':
    case '?': fail("Nothing to repeat"); return;
    case '{':
        at_--;
        if (isUnicode_)
            fail("Nothing to repeat");
        else if (braces(isOrdered))
            fail("Nothing to repeat");
        else
            at_++;
        break;
    case '}':
    case ']':
        if (isUnicode_)
            fail("Lone quantifier brackets");
        break;
    case '[':
        if (isSets_)
            setClass(0);
        else
            oldClass();
        break;
    case '\\':
        if (peek() == 'b' || peek() == 'B') {
            next();
            return;
        }
        atomEscape();
        break;
    default: (void)c; break;
    }
    quantifier(true);
}

void PatternChecker::openGroup() {
    Group group{nextGroupId_++, 0, true};
    if (!eat('?')) {
        groupCount_++;
    } else if (eat(':')) {
    } else if (eat('=') || eat('!')) {
        group.isQuantifiable = !isUnicode_; // B.1.2: only without u
    } else if (eat('<')) {
        if (eat('=') || eat('!')) {
            group.isQuantifiable = false;
        } else {
            groupCount_++;
            std::u32string name;
            if (!groupName(name))
                return;
            addName(std::move(name));
        }
    } else if (!modifiers()) {
        return;
    }
    open_.push_back(group);
}

void PatternChecker::closeGroup() {
    if (open_.size() == 1) {
        fail("Unmatched ')'");
        return;
    }
    bool isQuantifiable = open_.back().isQuantifiable;
    open_.pop_back();
    quantifier(isQuantifiable);
}

/// (?ims-ims: ... ): each letter at most once, not just "-".
bool PatternChecker::modifiers() {
    u32 seen = 0;
    int count = 0;
    bool isRemoving = false;
    for (;;) {
        u32 c = next();
        if (c == ':')
            return !isRemoving || count ? true : fail("Invalid flag group");
        if (c == '-' && !isRemoving) {
            isRemoving = true;
            continue;
        }
        u32 bit = c == 'i' ? 1 : c == 'm' ? 2 : c == 's' ? 4 : 0;
        if (!bit)
            return fail("Invalid group");
        if (seen & bit)
            return fail("Repeated flag in flag group");
        seen |= bit;
        count++;
    }
}

/// name> behind "(?<" or "\k<". Surrogate pairs count as one character with or without u.
bool PatternChecker::groupName(std::u32string& name) {
    for (;;) {
        u32 length;
        u32 c = peekAt(at_, &length, true);
        if (c == end)
            return fail("Invalid capture group name");
        at_ += length;
        if (c == '>')
            return !name.empty() || fail("Invalid capture group name");
        if (c == '\\') {
            bool isUnicode = isUnicode_;
            isUnicode_ = true; // the escape has its full form here in either mode
            c = eat('u') ? unicodeEscape() : end;
            isUnicode_ = isUnicode;
            if (c == end)
                return fail("Invalid Unicode escape");
        }
        if (!(name.empty() ? isIdentifierStart(c) : isIdentifierPart(c)))
            return fail("Invalid capture group name");
        name.push_back(static_cast<char32_t>(c));
    }
}

/// Two groups may share a name only if they are in different alternatives of one disjunction.
void PatternChecker::addName(std::u32string name) {
    for (const NamedGroup& other : names_) {
        if (other.name != name)
            continue;
        bool isExclusive = false;
        for (size_t i = 0; i < open_.size() && i < other.path.size() && open_[i].id == other.path[i].id; i++)
            isExclusive = isExclusive || open_[i].alternative != other.path[i].alternative;
        if (!isExclusive) {
            fail("Duplicate capture group name");
            return;
        }
    }
    names_.push_back({std::move(name), open_});
}

void PatternChecker::quantifier(bool isQuantifiable) {
    u32 c = peek();
    bool isOrdered = true;
    if (c == '{') {
        if (!braces(isOrdered)) {
            if (isUnicode_)
                fail("Incomplete quantifier");
            return;
        }
    } else if (c == '*' || c == '+' || c == '?') {
        next();
    } else {
        return;
    }
    if (!isQuantifiable)
        fail("Invalid quantifier");
    else if (!isOrdered)
        fail("numbers out of order in {} quantifier");
    eat('?');
}

/// {n}, {n,} or {n,m}, passed if it is one.
bool PatternChecker::braces(bool& isOrdered) {
    u32 start = at_;
    bool isLowLarge = false;
    bool isHighLarge = false;
    next();
    bool isValid = isDigit(peek());
    u32 low = number(isLowLarge);
    if (isValid && eat(',') && isDigit(peek())) {
        u32 high = number(isHighLarge);
        isOrdered = isHighLarge || (!isLowLarge && low <= high);
    }
    if (isValid && eat('}'))
        return true;
    at_ = start;
    return false;
}

u32 PatternChecker::number(bool& isTooLarge) {
    u64 value = 0;
    for (; isDigit(peek()); next()) {
        value = value * 10 + (peek() - '0');
        isTooLarge = isTooLarge || value > 0x7fffffff;
        value = isTooLarge ? 0x7fffffff : value;
    }
    return static_cast<u32>(value);
}

// ---- Escapes ----------------------------------------------------------------------------------------------------

void PatternChecker::atomEscape() {
    u32 c = peek();
    if (c >= '1' && c <= '9') {
        bool isTooLarge = false;
        u32 reference = number(isTooLarge);
        largestBackReference_ = reference > largestBackReference_ ? reference : largestBackReference_;
        return;
    }
    if (c == 'k' && hasNamedGroups_) {
        next();
        std::u32string name;
        if (!eat('<'))
            fail("Invalid named reference");
        else if (groupName(name))
            nameReferences_.push_back(std::move(name));
        return;
    }
    characterEscape(false);
}

/// Behind "\". The value of the character, or noValue for a set.
u32 PatternChecker::characterEscape(bool inClass) {
    u32 c = next();
    if (c == end)
        return fail("\\ at end of pattern"), end;
    if (isClassEscape(c))
        return noValue;
    switch (c) {
    case 'p':
    case 'P':
        if (!isUnicode_)
            return c;
        propertyEscape(c == 'P');
        return noValue;
    case 't': return '\t';
    case 'n': return '\n';
    case 'v': return '\v';
    case 'f': return '\f';
    case 'r': return '\r';
    case 'c':
        if (isLetter(peek()) || (inClass && !isUnicode_ && (isDigit(peek()) || peek() == '_')))
            return next() & 31;
        if (isUnicode_)
            fail("Invalid unicode escape");
        else
            at_--; // the backslash stands for itself, c follows
        return '\\';
    case 'x': {
        u32 value;
        if (hexDigits(2, value))
            return value;
        if (isUnicode_)
            fail("Invalid escape");
        return 'x';
    }
    case 'u': {
        u32 value = unicodeEscape();
        if (value == end && isUnicode_)
            fail("Invalid Unicode escape");
        return value == end ? 'u' : value;
    }
    default: break;
    }
    if (isDigit(c)) {
        bool isNul = c == '0' && !isDigit(peek());
        if (isNul)
            return 0;
        if (isUnicode_)
            return fail(inClass ? "Invalid class escape" : "Invalid decimal escape"), 0;
        u32 value = c - '0'; // legacy octal (B.1.2)
        for (int i = 0; c < '8' && i < 2 && peek() >= '0' && peek() <= '7' && value * 8 + (peek() - '0') < 256; i++)
            value = value * 8 + (next() - '0');
        return c < '8' ? value : c;
    }
    if (isUnicode_ && !isSyntaxCharacter(c) && !(inClass && c == '-'))
        fail("Invalid escape");
    if (!isUnicode_ && c == 'k' && hasNamedGroups_)
        fail("Invalid escape");
    return c;
}

bool PatternChecker::hexDigits(int count, u32& value) {
    value = 0;
    for (int i = 0; i < count; i++) {
        int digit = hexValue(peek(static_cast<u32>(i)));
        if (digit < 0)
            return false;
        value = value * 16 + static_cast<u32>(digit);
    }
    at_ += static_cast<u32>(count);
    return true;
}

/// Behind "\u". `end` if it is no complete escape; then nothing was passed.
u32 PatternChecker::unicodeEscape() {
    u32 start = at_;
    u32 value = 0;
    if (isUnicode_ && eat('{')) {
        bool hasDigits = false;
        for (int digit; (digit = hexValue(peek())) >= 0 && value <= 0x10ffff; next()) {
            value = value * 16 + static_cast<u32>(digit);
            hasDigits = true;
        }
        if (hasDigits && value <= 0x10ffff && eat('}'))
            return value;
        at_ = start;
        return end;
    }
    if (!hexDigits(4, value))
        return end;
    // With u, two escapes that are a surrogate pair are one character.
    u32 low;
    u32 pair = at_;
    if (isUnicode_ && (value & 0xfc00) == 0xd800 && eat('\\')) {
        if (eat('u') && hexDigits(4, low) && (low & 0xfc00) == 0xdc00)
            return 0x10000 + ((value & 0x3ff) << 10) + (low & 0x3ff);
        at_ = pair;
    }
    return value;
}

/// \p{Name} or \p{Name=Value}: the form only.
void PatternChecker::propertyEscape(bool isNegated) {
    u32 start = at_ + 1;
    bool hasName = false;
    bool hasValue = true;
    if (!eat('{')) {
        fail("Invalid property name");
        return;
    }
    bool isValue = false;
    for (;; next()) {
        u32 c = peek();
        if (isLetter(c) || isDigit(c) || c == '_') {
            (isValue ? hasValue : hasName) = true;
        } else if (c == '=' && !isValue && hasName) {
            isValue = true;
            hasValue = false;
        } else {
            break;
        }
    }
    u32 stop = at_;
    if (!eat('}') || !hasName || !hasValue)
        fail("Invalid property name");
    std::string name;
    for (u32 i = start; i < stop; i++)
        name += static_cast<char>(unit(i));
    // The properties of strings need v and cannot be negated.
    bool isOfStrings = name == "Basic_Emoji" || name == "Emoji_Keycap_Sequence" || name == "RGI_Modifier_Sequence"
        || name == "RGI_Flag_Sequence" || name == "RGI_Emoji" || name == "RGI_Emoji_Modifier_Sequence"
        || name == "RGI_Emoji_Flag_Sequence" || name == "RGI_Emoji_Tag_Sequence" || name == "RGI_Emoji_ZWJ_Sequence";
    propertyHasStrings_ = isOfStrings;
    if (isOfStrings && (!isSets_ || isNegated))
        fail("Invalid property name");
}

// ---- Classes ------------------------------------------------------------------------------------------------------

/// Behind "[", without the v flag.
void PatternChecker::oldClass() {
    eat('^');
    while (peek() != ']') {
        if (peek() == end) {
            fail("Unterminated character class");
            return;
        }
        u32 from = oldClassAtom();
        if (peek() != '-' || peek(1) == ']' || peek(1) == end)
            continue;
        next();
        u32 to = oldClassAtom();
        if (from == noValue || to == noValue) {
            if (isUnicode_)
                fail("Invalid character class");
        } else if (from > to) {
            fail("Range out of order in character class");
        }
    }
    next();
}

u32 PatternChecker::oldClassAtom() {
    u32 c = next();
    if (c != '\\')
        return c;
    if (eat('b'))
        return '\b';
    return characterEscape(true);
}

/// Behind "[", with the v flag (22.2.1: ClassContents). The result: whether it may match strings.
bool PatternChecker::setClass(int depth) {
    if (depth > maximumClassDepth)
        return fail("Regular expression too large");
    bool isNegated = eat('^');
    bool hasStrings = false;
    u32 value = noValue;
    if (eat(']'))
        return false;
    setOperand(depth, value, hasStrings);
    if (isPair('&') || isPair('-'))
        setOperation(depth, peek(), hasStrings);
    else
        setUnion(depth, value, hasStrings);
    if (isNegated && hasStrings)
        fail("Negated character class may contain strings");
    return hasStrings;
}

/// The rest of a && b && c] or a -- b -- c].
void PatternChecker::setOperation(int depth, u32 op, bool& hasStrings) {
    while (isPair(op)) {
        at_ += 2;
        u32 value;
        bool hasMore = false;
        if (op == '&' && peek() == '&')
            fail("Invalid character in character class");
        setOperand(depth, value, hasMore);
        hasStrings = hasStrings && (op == '-' || hasMore);
    }
    if (!eat(']'))
        fail(peek() == end ? "Unterminated character class" : "Invalid set operation in character class");
}

/// The rest of a union, behind its first operand.
void PatternChecker::setUnion(int depth, u32 value, bool& hasStrings) {
    for (;;) {
        if (peek() == '-' && peek(1) != '-') {
            next();
            u32 to = noValue;
            bool ignored = false;
            setOperand(depth, to, ignored);
            if (value == noValue || to == noValue)
                fail("Invalid character class");
            else if (value > to)
                fail("Range out of order in character class");
        }
        if (eat(']'))
            return;
        if (peek() == end) {
            fail("Unterminated character class");
            return;
        }
        if (isPair('&') || isPair('-'))
            fail("Invalid set operation in character class");
        bool hasMore = false;
        setOperand(depth, value, hasMore);
        hasStrings = hasStrings || hasMore;
    }
}

/// A nested class, \q{...}, a set or a character; value is noValue unless it is a character.
void PatternChecker::setOperand(int depth, u32& value, bool& hasStrings) {
    value = noValue;
    if (eat('[')) {
        hasStrings = setClass(depth + 1);
    } else if (peek() == '\\' && peek(1) == 'q' && peek(2) == '{') {
        at_ += 3;
        hasStrings = setStrings();
    } else if (peek() == '\\' && (isClassEscape(peek(1)) || peek(1) == 'p' || peek(1) == 'P')) {
        next();
        propertyHasStrings_ = false;
        characterEscape(true);
        hasStrings = propertyHasStrings_;
    } else {
        value = setCharacter();
    }
}

/// Behind "\q{": alternatives of characters. Whether one of them is no single character.
bool PatternChecker::setStrings() {
    bool hasStrings = false;
    for (u32 length = 0;;) {
        if (peek() == end)
            return fail("Invalid escape");
        bool isEnd = peek() == '}';
        if (isEnd || peek() == '|') {
            next();
            hasStrings = hasStrings || length != 1;
            length = 0;
            if (isEnd)
                return hasStrings;
            continue;
        }
        setCharacter();
        length++;
    }
}

u32 PatternChecker::setCharacter() {
    u32 c = next();
    auto isOneOf = [&](const char* set, u32 character) {
        return character && character < 0x80 && std::string_view(set).find(char(character)) != std::string_view::npos;
    };
    if (c == '\\') {
        if (eat('b'))
            return '\b';
        if (isOneOf("&-!#%,:;<=>@`~", peek()))
            return next();
        return characterEscape(false);
    }
    if (c == end)
        fail("Unterminated character class");
    else if (isOneOf("()[]{}/-|", c))
        fail("Invalid character in character class");
    else if (c == peek() && isOneOf("&!#$%*+,.:;<=>?@^`~", c))
        fail("Invalid set operation in character class");
    return c;
}

} // namespace

std::string regExpError(const Name& pattern, const Name& flags) {
    u32 seen = 0;
    for (u32 i = 0; i < flags.length; i++) {
        size_t index =
            flags.isLatin1 ? std::string_view("dgimsuvy").find(char(flags.latin1[i])) : std::string_view::npos;
        if (index == std::string_view::npos || seen >> index & 1)
            return "Invalid regular expression flags";
        seen |= 1u << index;
    }
    bool isUnicode = seen >> 5 & 1;
    bool isSets = seen >> 6 & 1;
    if (isUnicode && isSets)
        return "Invalid regular expression flags";
    const char* message = PatternChecker(pattern, isUnicode, isSets).run();
    if (!message)
        return "";
    return "Invalid regular expression: /" + toUtf8(pattern) + "/" + toUtf8(flags) + ": " + message;
}

}
