// Sequences as xterm, rxvt, the Linux console, VTE, kitty (CSI u) and tmux send them.
#include "interp/terminal/keys.h"
#include "runtime/base/utf.h"
#include <algorithm>
#include <cstring>

namespace scr {

namespace {

constexpr std::string_view pasteEnd = "\x1b[201~";
constexpr size_t longestSequence = 128;

bool isControlByte(char byte) { return u8(byte) < 0x20 || byte == 0x7f; }

/// How many bytes at the end are the beginning of a character.
size_t cutTail(std::string_view text) {
    for (size_t back = 1; back <= 3 && back <= text.size(); back++) {
        u8 byte = u8(text[text.size() - back]);
        if ((byte & 0xC0) == 0x80)
            continue;
        size_t length = byte >= 0xF0 && byte < 0xF5 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC2 ? 2 : 1;
        return byte < 0xF5 && length > back ? back : 0;
    }
    return 0;
}

void appendValid(std::string& to, std::string_view from) {
    if (isAscii(from.data(), from.size())) {
        to += from;
        return;
    }
    auto *p = reinterpret_cast<const u8*>(from.data()), *end = p + from.size();
    while (p != end) {
        u32 codePoint = decodeUtf8(p, end);
        appendUtf8(to, isSurrogate(codePoint) ? ReplacementCharacter : codePoint);
    }
}

/// Line ends become \n; what would control a terminal goes.
std::string pastedText(std::string_view raw) {
    std::string plain, text;
    plain.reserve(raw.size());
    for (size_t i = 0; i < raw.size(); i++) {
        if (raw[i] == '\r') {
            plain += '\n';
            i += i + 1 < raw.size() && raw[i + 1] == '\n';
        } else if (!isControlByte(raw[i]) || raw[i] == '\n' || raw[i] == '\t') {
            plain += raw[i];
        }
    }
    appendValid(text, plain);
    return text;
}

Key arrow(char final) {
    switch (final) {
    case 'A': return Key::Up;
    case 'B': return Key::Down;
    case 'C': return Key::Right;
    case 'D': return Key::Left;
    case 'H': return Key::Home;
    case 'F': return Key::End;
    default: return Key::Unknown;
    }
}

Key numbered(u32 number) {
    switch (number) {
    case 1:
    case 7: return Key::Home;
    case 2: return Key::Insert;
    case 3: return Key::Delete;
    case 4:
    case 8: return Key::End;
    case 5: return Key::PageUp;
    case 6: return Key::PageDown;
    default: return Key::Unknown;
    }
}

/// xterm's second parameter: one more than the bits.
u8 modifiersOf(u32 parameter) { return parameter > 1 ? u8((parameter - 1) & 7) : 0; }

/// A key that a terminal names by its code point (CSI u, or 27;modifiers;code~).
void named(KeyEvent& event, u32 code) {
    switch (code) {
    case 8:
    case 127: event.key = Key::Backspace; return;
    case 9: event.key = Key::Tab; return;
    case 10:
    case 13: event.key = Key::Enter; return;
    case 27: event.key = Key::Escape; return;
    default: break;
    }
    if (code < 0x20 || code > 0x10FFFF || isSurrogate(code) || (code >= 0xE000 && code <= 0xF8FF))
        return;
    if (event.ctrl() && code < 0x7f) {
        event.key = Key::Control;
        event.code = char(code >= 'A' && code <= 'Z' ? code | 0x20 : code);
    } else {
        event.key = Key::Text;
        appendUtf8(event.text, code);
    }
}

}

void KeyDecoder::add(std::string_view bytes) {
    // What was taken goes only when it is most of it, so that many short lines cost no moves of all that follows.
    if (at_ > bytes_.size() / 2) {
        bytes_.erase(0, at_);
        at_ = 0;
    }
    bytes_ += bytes;
    isDecided_ = false;
}

std::string KeyDecoder::rest() {
    std::string left = bytes_.substr(at_);
    *this = KeyDecoder();
    return left;
}

bool KeyDecoder::next(KeyEvent& event) {
    event = KeyEvent();
    if (inPaste_)
        return paste(event);
    if (at_ == bytes_.size())
        return false;
    char byte = bytes_[at_];
    if (byte == '\x1b')
        return sequence(event);
    if (!isControlByte(byte))
        return textRun(event);
    at_++;
    control(event, u8(byte));
    return true;
}

void KeyDecoder::control(KeyEvent& event, u8 byte) {
    switch (byte) {
    case 0x7f:
    case 0x08: event.key = Key::Backspace; break;
    case '\t': event.key = Key::Tab; break;
    case '\r':
    case '\n': event.key = Key::Enter; break;
    default:
        event.key = Key::Control;
        event.code = byte == 0 ? ' ' : byte <= 26 ? char(byte + 'a' - 1) : char(byte + '@');
    }
}

/// All characters up to the next key that is none.
bool KeyDecoder::textRun(KeyEvent& event) {
    size_t end = at_;
    while (end < bytes_.size() && !isControlByte(bytes_[end]))
        end++;
    std::string_view run(bytes_.data() + at_, end - at_);
    if (end == bytes_.size())
        run.remove_suffix(cutTail(run));
    if (run.empty())
        return false;
    event.key = Key::Text;
    appendValid(event.text, run);
    take(at_ + run.size());
    return true;
}

/// Behind an ESC. Alone it is a key only when time has decided so.
bool KeyDecoder::sequence(KeyEvent& event) {
    size_t from = at_ + 1;
    if (from == bytes_.size()) {
        if (!isDecided_)
            return false;
        isDecided_ = false;
        event.key = Key::Escape;
        take(from);
        return true;
    }
    if (bytes_[from] != '\x1b')
        return escaped(event, from);
    // Two: Alt with a sequence, or the key ESC and then something else.
    if (from + 1 == bytes_.size() && !isDecided_)
        return false;
    if (from + 1 < bytes_.size() && (bytes_[from + 1] == '[' || bytes_[from + 1] == 'O')) {
        event.modifiers = KeyEvent::Alt;
        return escaped(event, from + 1);
    }
    event.key = Key::Escape;
    take(from);
    return true;
}

bool KeyDecoder::escaped(KeyEvent& event, size_t from) {
    char byte = bytes_[from];
    if (byte == '[' || byte == 'O') {
        bool isWhole = byte == '[' ? csi(event, from + 1) : ss3(event, from + 1);
        if (isWhole || !isDecided_)
            return isWhole;
        isDecided_ = false;
        if (from + 1 < bytes_.size()) { // the beginning of a sequence that never ended
            take(bytes_.size());
            return true;
        }
    }
    if (isControlByte(byte)) {
        take(from + 1);
        control(event, u8(byte));
        event.modifiers |= KeyEvent::Alt;
        return true;
    }
    std::string_view tail = std::string_view(bytes_).substr(from);
    auto *p = reinterpret_cast<const u8*>(tail.data()), *begin = p;
    size_t length = std::min<size_t>(tail.size(), 4);
    if (tail.size() < 4 && cutTail(tail) == tail.size())
        return false;
    u32 codePoint = decodeUtf8(p, p + length);
    event.key = Key::Text;
    event.modifiers |= KeyEvent::Alt;
    appendUtf8(event.text, isSurrogate(codePoint) ? ReplacementCharacter : codePoint);
    take(from + size_t(p - begin));
    return true;
}

/// ESC [ parameters intermediates final.
bool KeyDecoder::csi(KeyEvent& event, size_t from) {
    size_t at = from;
    u32 parameters[4] = {}, count = 0;
    bool isPlain = true;
    if (at < bytes_.size() && bytes_[at] == '[') { // function keys of the Linux console
        if (at + 1 == bytes_.size())
            return false;
        take(at + 2);
        return true;
    }
    for (;; at++) {
        if (at == bytes_.size()) {
            if (at - from < longestSequence)
                return false;
            break;
        }
        char byte = bytes_[at];
        if (byte >= '0' && byte <= '9') {
            count = std::max(count, 1u);
            u32& last = parameters[std::min(count, 4u) - 1];
            last = std::min(last * 10 + u32(byte - '0'), 0x200000u);
        } else if (byte == ';') {
            count = std::max(count, 1u) + 1;
        } else if (byte == '$' && count == 1 && isPlain) { // rxvt: Shift
            event.modifiers |= KeyEvent::Shift;
            break;
        } else if (byte >= 0x20 && byte <= 0x3f) {
            isPlain = isPlain && byte == ':';
        } else {
            break;
        }
    }
    char final = at < bytes_.size() ? bytes_[at] : 0;
    bool isFinal = final >= 0x40 && final <= 0x7e;
    take(isFinal || final == '$' ? at + 1 : at);
    if (!isPlain || (!isFinal && final != '$') || at - from >= longestSequence)
        return true;
    u8 modifiers = modifiersOf(parameters[1]);
    switch (final) {
    case '$':
    case '^':
    case '@':
        event.key = numbered(parameters[0]);
        modifiers = final == '$' ? 0 : final == '^' ? KeyEvent::Ctrl : KeyEvent::Ctrl | KeyEvent::Shift;
        break;
    case '~':
        if (parameters[0] == 200) {
            inPaste_ = true;
            return next(event);
        }
        if (parameters[0] == 27 && count >= 3) {
            event.modifiers |= modifiers;
            named(event, parameters[2]);
            return true;
        }
        event.key = numbered(parameters[0]);
        break;
    case 'u':
        event.modifiers |= modifiers;
        named(event, parameters[0]);
        return true;
    case 'Z':
        event.key = Key::Tab;
        modifiers = KeyEvent::Shift;
        break;
    case 'a':
    case 'b':
    case 'c':
    case 'd': // rxvt
        event.key = arrow(char(final - 0x20));
        modifiers = KeyEvent::Shift;
        break;
    default:
        event.key = arrow(final);
        if (count == 1)
            modifiers = modifiersOf(parameters[0]);
    }
    event.modifiers |= modifiers;
    return true;
}

/// ESC O final: arrows of an application, the keypad; old terminals put a modifier before the final.
bool KeyDecoder::ss3(KeyEvent& event, size_t from) {
    size_t at = from;
    u32 modifier = 0;
    while (at < bytes_.size() && ((bytes_[at] >= '0' && bytes_[at] <= '9') || bytes_[at] == ';') && at - from < 8) {
        modifier = bytes_[at] == ';' ? 0 : modifier * 10 + u32(bytes_[at] - '0');
        at++;
    }
    if (at == bytes_.size())
        return false;
    char final = bytes_[at];
    if (isControlByte(final) || u8(final) >= 0x80) { // Alt+O, and then something else
        event.key = Key::Text;
        event.modifiers |= KeyEvent::Alt;
        event.text.push_back('O');
        take(from);
        return true;
    }
    take(at + 1);
    event.modifiers |= modifiersOf(modifier);
    if (final >= 'a' && final <= 'd') { // rxvt
        event.key = arrow(char(final - 0x20));
        event.modifiers |= KeyEvent::Ctrl;
    } else if (final >= 'j' && final <= 'y') {
        event.key = Key::Text;
        event.text.push_back(char(final - 'j' + '*'));
    } else {
        event.key = final == 'M' ? Key::Enter : arrow(final);
    }
    return true;
}

bool KeyDecoder::paste(KeyEvent& event) {
    std::string_view rest = std::string_view(bytes_).substr(at_);
    size_t end = rest.find(pasteEnd);
    bool isWhole = end != rest.npos;
    if (!isWhole) {
        // The end may have begun in the last bytes.
        size_t held = std::min(rest.size(), pasteEnd.size() - 1);
        while (held && rest.substr(rest.size() - held) != pasteEnd.substr(0, held))
            held--;
        end = rest.size() - held;
    }
    paste_ += rest.substr(0, end);
    take(at_ + end + (isWhole ? pasteEnd.size() : 0));
    if (isWhole)
        endPaste(event);
    return isWhole;
}

void KeyDecoder::endPaste(KeyEvent& event) {
    event = KeyEvent();
    event.key = Key::Paste;
    event.text = pastedText(paste_);
    paste_ = std::string();
    inPaste_ = false;
}

}
