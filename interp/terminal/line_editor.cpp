// Coming and going: bytes in, events out.
#include "interp/terminal/line_editor.h"
#include "interp/terminal/editor.h"
#include "runtime/base/utf.h"
#include <algorithm>
#include <time.h>

namespace scr {

namespace {

constexpr i64 escapeWait = 100; // milliseconds

std::string validText(std::string_view text) {
    std::string valid;
    auto *p = reinterpret_cast<const u8*>(text.data()), *end = p + text.size();
    while (p != end) {
        u32 c = decodeUtf8(p, end);
        appendUtf8(valid, isSurrogate(c) ? ReplacementCharacter : c);
    }
    return valid;
}

}

LineEditor::Impl::Impl(const EditorOptions& given, History& h, EditorClient& c)
    : options(given)
    , history(h)
    , client(c)
    , terminal(given.in, given.out) {
    screen.setColors(options.colors);
    readSize();
}

void LineEditor::Impl::readSize() {
    size_t width = options.columns, height = options.rows;
    if ((!width || !height) && !terminal.size(width, height))
        width = 80, height = 24;
    // Nobody has a window like that; a terminal that says so would only cost memory.
    columns = std::clamp<size_t>(width, 1, 4096);
    rows = std::clamp<size_t>(height, 1, 1024);
    screen.setSize(columns, rows);
}

bool LineEditor::Impl::put(std::string& out) {
    if (!out.empty() && !terminal.write(out))
        isClosed = true;
    return !isClosed;
}

i64 LineEditor::Impl::now() const {
    if (options.clock)
        return options.clock();
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return i64(time.tv_sec) * 1000 + time.tv_nsec / 1000000;
}

/// The text as it is, nothing else, and the cursor below it.
void LineEditor::Impl::leaveScreen() {
    endSearch(true);
    clearHints();
    buffer.setCursor(buffer.text().size());
    draw();
    std::string out;
    screen.leave(out);
    put(out);
}

EditEvent LineEditor::Impl::finish(EditEvent event) {
    isHidden = false;
    if (!options.dumb && isActive)
        leaveScreen();
    result = buffer.text();
    isActive = false;
    if (event == EditEvent::Line) {
        history.add(result);
        if (keys.isEmpty() && dumbBytes.empty())
            history.flush();
    }
    return event;
}

EditEvent LineEditor::Impl::takeBytes() {
    if (!isActive)
        return EditEvent::None;
    if (isHidden) {
        isHidden = false;
        draw();
    }
    KeyEvent event;
    while (keys.next(event)) {
        isStale = true;
        EditEvent happened = handle(event);
        if (happened != EditEvent::None)
            return happened;
    }
    escapeDue = keys.isUndecided() ? now() + escapeWait : -1;
    if (isStale) {
        isStale = false;
        updateHints();
        draw();
    }
    history.flush();
    return isClosed ? finish(EditEvent::EndOfInput) : EditEvent::None;
}

/// The driver edits: whole lines come.
EditEvent LineEditor::Impl::takeDumb() {
    while (isActive) {
        size_t end = dumbBytes.find_first_of("\r\n");
        if (end == dumbBytes.npos)
            break;
        buffer.insert(validText(std::string_view(dumbBytes).substr(0, end)));
        dumbBytes.erase(0, end + 1);
        if (mode == EditMode::Statement && isWhole())
            return finish(EditEvent::Line);
        buffer.insert("\n");
        std::string out = continuation;
        put(out);
    }
    return EditEvent::None;
}

// ---- The interface --------------------------------------------------------------------------------------------

LineEditor::LineEditor(const EditorOptions& options, History& history, EditorClient& client)
    : impl_(std::make_unique<Impl>(options, history, client)) { }

LineEditor::~LineEditor() {
    close();
    impl_->history.flush();
}

bool LineEditor::open() {
    impl_->readSize();
    return impl_->options.dumb || impl_->terminal.raw();
}

void LineEditor::close() { impl_->terminal.restore(); }

void LineEditor::busy() {
    if (!impl_->options.dumb)
        impl_->terminal.busy();
}

void LineEditor::begin(std::string_view prompt, std::string_view continuation, std::string_view text, EditMode mode) {
    Impl& e = *impl_;
    e.prompt = validText(prompt);
    e.continuation = validText(continuation);
    e.mode = mode;
    e.buffer.reset(validText(text));
    e.isActive = true;
    e.isHidden = false;
    e.search = {};
    e.clearHints();
    e.historyAt = e.history.size();
    e.checkedBytes = 0;
    e.openBrackets.reset();
    e.last = Impl::Last::Other;
    e.layout.reset();
    e.screen.forget();
    if (e.options.dumb) {
        std::string out = e.prompt;
        e.put(out);
    } else {
        // What was typed ahead is shown with what it does.
        e.isStale = true;
        if (e.keys.isEmpty())
            e.draw();
    }
}

EditEvent LineEditor::feed(std::string_view bytes) {
    Impl& e = *impl_;
    if (e.options.dumb) {
        e.dumbBytes += bytes;
        if (!bytes.empty())
            return e.takeDumb();
        // ^D ends a block; a line without an end was the last.
        bool endsBlock = e.isActive && e.mode == EditMode::Block && !e.buffer.text().empty();
        return e.finish(endsBlock ? EditEvent::Line : EditEvent::EndOfInput);
    }
    if (bytes.empty())
        return e.finish(EditEvent::EndOfInput);
    // ^C alone while the end of a paste does not come: it never will.
    if (e.keys.isPasting() && bytes == "\x03") {
        KeyEvent paste;
        e.keys.endPaste(paste);
        if (e.isActive)
            e.handle(paste);
        e.isStale = true;
    }
    e.keys.add(bytes);
    e.isBurst = bytes.size() > 32;
    return e.takeBytes();
}

EditEvent LineEditor::pending() { return impl_->options.dumb ? impl_->takeDumb() : impl_->takeBytes(); }

EditEvent LineEditor::interrupt() {
    Impl& e = *impl_;
    if (!e.isActive)
        return EditEvent::None;
    if (e.options.dumb) {
        e.dumbBytes.clear();
        std::string out = "\r\n";
        e.put(out);
    }
    return e.finish(EditEvent::Interrupt);
}

i64 LineEditor::tick() {
    Impl& e = *impl_;
    if (e.escapeDue < 0)
        return -1;
    i64 left = e.escapeDue - e.now();
    if (left > 0)
        return left;
    e.escapeDue = -1;
    e.keys.decide();
    // An ESC makes no event: it ends a search, or nothing.
    e.takeBytes();
    return e.escapeDue < 0 ? -1 : escapeWait;
}

const std::string& LineEditor::text() const { return impl_->isActive ? impl_->buffer.text() : impl_->result; }

void LineEditor::hide() {
    Impl& e = *impl_;
    if (!e.isActive || e.isHidden)
        return;
    std::string out;
    if (e.options.dumb)
        out = "\r\n";
    else
        e.screen.erase(out);
    e.isHidden = true;
    e.put(out);
}

void LineEditor::show() {
    Impl& e = *impl_;
    if (!e.isActive || !e.isHidden)
        return;
    e.isHidden = false;
    if (e.options.dumb) {
        std::string out = e.buffer.text().empty() ? e.prompt : e.continuation;
        e.put(out);
    } else {
        e.draw();
    }
}

void LineEditor::resized(size_t columns, size_t rows) {
    Impl& e = *impl_;
    if (columns && rows)
        e.options.columns = columns, e.options.rows = rows;
    if (e.options.dumb)
        return;
    std::string out;
    size_t before = e.columns, rowsBefore = e.rows;
    Screen old = e.screen;
    e.readSize();
    if (!e.isActive || e.isHidden || (e.columns == before && e.rows == rowsBefore))
        return;
    e.screen = std::move(old);
    e.screen.resize(e.columns, e.rows, out);
    e.list.clear();
    e.layout.reset();
    e.put(out);
    e.draw();
}

void LineEditor::resume() {
    Impl& e = *impl_;
    open();
    e.screen.forget();
    if (!e.isActive)
        return;
    if (e.options.dumb) {
        std::string out = e.buffer.text().empty() ? e.prompt : e.continuation;
        e.put(out);
    } else {
        e.draw();
    }
}

size_t LineEditor::columns() const { return impl_->columns; }

}
