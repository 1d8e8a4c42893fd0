// Keys to commands, as Emacs and readline have them.
#include "interp/terminal/editor.h"
#include "interp/terminal/grapheme.h"
#include <algorithm>

namespace scr {

EditEvent LineEditor::Impl::handle(KeyEvent& event) {
    if (event.key == Key::Unknown)
        return EditEvent::None;
    if (search.isActive && searchKey(event))
        return EditEvent::None;
    bool isTab = event.key == Key::Tab;
    if (!isTab)
        list.clear();
    current = Last::Other;
    killed = false;
    EditEvent happened = EditEvent::None;
    bool grows = event.key == Key::Text || event.key == Key::Enter || event.key == Key::Tab;
    if (!grows || event.modifiers || !buffer.atEnd())
        openBrackets.reset();
    const std::string& text = buffer.text();
    switch (event.key) {
    case Key::Text:
        if (event.alt())
            alt(event);
        else
            insertText(event.text);
        break;
    case Key::Paste:
        buffer.endStep();
        insertText(event.text);
        buffer.endStep();
        break;
    case Key::Control: happened = control(event); break;
    case Key::Enter: happened = enter(!event.alt() && !(event.modifiers & KeyEvent::Shift)); break;
    case Key::Tab: tabKey(event); break;
    case Key::Backspace:
        if (event.alt() || event.ctrl())
            killed = true, buffer.kill(previousWord(text, buffer.cursor()), buffer.cursor());
        else
            erase(previousGrapheme(text, buffer.cursor()), buffer.cursor());
        break;
    case Key::Delete:
        if (event.alt() || event.ctrl())
            killed = true, buffer.kill(buffer.cursor(), nextWord(text, buffer.cursor()));
        else
            erase(buffer.cursor(), nextGrapheme(text, buffer.cursor()));
        break;
    case Key::Up: moveVertically(true); break;
    case Key::Down: moveVertically(false); break;
    case Key::Left:
        moveTo(event.modifiers & (KeyEvent::Alt | KeyEvent::Ctrl) ? previousWord(text, buffer.cursor())
                                                                  : previousGrapheme(text, buffer.cursor()));
        break;
    case Key::Right: goRight(event.modifiers & (KeyEvent::Alt | KeyEvent::Ctrl)); break;
    case Key::Home: moveTo(event.ctrl() ? 0 : buffer.lineBegin(buffer.cursor())); break;
    case Key::End:
        if (event.ctrl())
            moveTo(text.size());
        else
            goToEnd();
        break;
    case Key::PageUp: current = Last::Vertical, browse(true); break;
    case Key::PageDown: current = Last::Vertical, browse(false); break;
    case Key::Insert:
    case Key::Escape:
    case Key::Unknown: break;
    }
    if (!killed)
        buffer.endKill();
    last = current;
    return happened;
}

EditEvent LineEditor::Impl::control(const KeyEvent& event) {
    const std::string& text = buffer.text();
    size_t at = buffer.cursor(), begin = buffer.lineBegin(at), end = buffer.lineEnd(at);
    if (event.alt())
        return EditEvent::None;
    switch (event.code) {
    case 'a': moveTo(begin); break;
    case 'b': moveTo(previousGrapheme(text, at)); break;
    case 'c': return finish(EditEvent::Interrupt);
    case 'd':
        if (text.empty())
            return finish(EditEvent::EndOfInput);
        if (mode == EditMode::Block && buffer.atEnd())
            return finish(EditEvent::Line);
        erase(at, nextGrapheme(text, at));
        break;
    case 'e': goToEnd(); break;
    case 'f': goRight(false); break;
    case 'g': break;
    case 'h': erase(previousGrapheme(text, at), at); break;
    case 'k':
        // At the end of a line: the line break.
        killed = true;
        buffer.kill(at, end > at ? end : std::min(at + 1, text.size()));
        break;
    case 'l': {
        std::string out;
        screen.clear(out);
        put(out);
        break;
    }
    case 'n': moveVertically(false); break;
    case 'p': moveVertically(true); break;
    case 'r': beginSearch(true); break;
    case 's': beginSearch(false); break;
    case 't': buffer.transpose(); break;
    case 'u':
        killed = true;
        buffer.kill(begin < at || at == 0 ? begin : at - 1, at);
        break;
    case 'w':
        killed = true;
        buffer.kill(previousWord(text, at), at);
        break;
    case 'y':
        if (buffer.yank())
            current = Last::Yank;
        break;
    case 'z': {
        bool wasActive = isActive;
        endSearch(true);
        clearHints();
        draw();
        std::string out;
        screen.leave(out);
        put(out);
        terminal.restore();
        isActive = wasActive;
        return EditEvent::Suspend;
    }
    case '_': buffer.undo(); break;
    case '^': buffer.redo(); break;
    default: break;
    }
    return EditEvent::None;
}

void LineEditor::Impl::alt(const KeyEvent& event) {
    size_t at = buffer.cursor();
    const std::string& text = buffer.text();
    switch (event.text[0]) {
    case 'b': moveTo(previousWord(text, at)); break;
    case 'f': goRight(true); break;
    case 'd':
        killed = true;
        buffer.kill(at, nextWord(text, at));
        break;
    case 'u': buffer.changeCase(EditBuffer::Case::Upper); break;
    case 'l': buffer.changeCase(EditBuffer::Case::Lower); break;
    case 'c': buffer.changeCase(EditBuffer::Case::Capital); break;
    case 'y':
        if (last == Last::Yank)
            buffer.yankPop(), current = Last::Yank;
        break;
    case '<': moveTo(0); break;
    case '>': moveTo(text.size()); break;
    case '_': buffer.redo(); break;
    default: break;
    }
}

void LineEditor::Impl::insertText(std::string_view text) { buffer.insert(text); }

void LineEditor::Impl::erase(size_t begin, size_t end) { buffer.erase(begin, end); }

void LineEditor::Impl::moveTo(size_t place) {
    buffer.setCursor(place);
    buffer.endStep();
}

/// Whether Enter ends the text. Who pastes a long text without brackets sends one Enter after the other, and each
/// question may cost as much as the text is long: when they have cost a lot, an open bracket is answer enough, and in
/// the end the text must have grown by an eighth before it is asked for again.
bool LineEditor::Impl::isWhole() {
    constexpr size_t cheap = 1 << 20, dear = 32 << 20;
    size_t size = buffer.text().size();
    if (isBurst && checkedBytes > cheap) {
        if (openBrackets.isOpen(buffer.text()) || (checkedBytes > dear && checkedBytes > size * 8))
            return false;
    }
    checkedBytes += size;
    return client.isComplete(buffer.text());
}

EditEvent LineEditor::Impl::enter(bool isPlain) {
    if (isPlain && mode == EditMode::Statement && isWhole())
        return finish(EditEvent::Line);
    buffer.endStep();
    insertText("\n");
    buffer.endStep();
    return EditEvent::None;
}

/// Behind something: completion. Before the first word of a line of a block: indentation. In a paste without brackets
/// it is what it is.
void LineEditor::Impl::tabKey(const KeyEvent& event) {
    size_t at = buffer.cursor(), begin = buffer.lineBegin(at);
    std::string_view before = std::string_view(buffer.text()).substr(begin, at - begin);
    bool isBlank = before.find_first_not_of(" \t") == before.npos;
    if (isBurst && !keys.isEmpty())
        return insertText("\t");
    if (event.modifiers & KeyEvent::Shift) {
        size_t indent = std::min<size_t>(2, before.size() - std::min(before.size(), before.find_last_not_of(' ') + 1));
        if (isBlank && indent)
            erase(at - indent, at);
    } else if (isBlank && (isBurst || !buffer.text().empty())) {
        insertText(isBurst || before.find('\t') != before.npos ? "\t" : "  ");
    } else {
        complete();
        current = Last::Tab;
    }
}

void LineEditor::Impl::goRight(bool byWord) {
    const std::string& text = buffer.text();
    size_t at = buffer.cursor();
    if (buffer.atEnd() && !suggestion.empty()) {
        std::string rest = suggestion;
        if (byWord)
            rest.resize(nextWord(rest, 0));
        buffer.endStep();
        buffer.insert(rest);
        buffer.endStep();
        return;
    }
    moveTo(byWord ? nextWord(text, at) : nextGrapheme(text, at));
}

void LineEditor::Impl::goToEnd() {
    if (buffer.atEnd())
        goRight(false);
    else
        moveTo(buffer.lineEnd(buffer.cursor()));
}

/// Within the text by its lines, keeping the column; beyond it through the history.
void LineEditor::Impl::moveVertically(bool up) {
    current = Last::Vertical;
    if (up ? buffer.onFirstLine() : buffer.onLastLine()) {
        browse(up);
        goalColumn = buffer.column();
        return;
    }
    if (last != Last::Vertical)
        goalColumn = buffer.column();
    size_t begin = buffer.lineBegin(buffer.cursor());
    begin = up ? buffer.lineBegin(begin - 1) : buffer.lineEnd(begin) + 1;
    moveTo(buffer.placeAt(begin, goalColumn));
}

}
