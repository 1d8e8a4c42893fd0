// Every change goes through replace(), which remembers what it did.
#include "interp/terminal/edit_buffer.h"
#include "interp/terminal/grapheme.h"
#include "runtime/base/utf.h"
#include <algorithm>

namespace scr {

void EditBuffer::reset(std::string_view text) {
    text_ = text;
    cursor_ = text_.size();
    undo_.clear();
    redo_.clear();
    undoBytes_ = 0;
    isStepOpen_ = isKilling_ = false;
}

void EditBuffer::apply(size_t at, size_t length, std::string_view with) { text_.replace(at, length, with); }

/// Typing on, or deleting on, within a word is one step.
bool EditBuffer::extendsLast(size_t begin, size_t end, std::string_view with) const {
    if (!isStepOpen_ || undo_.empty())
        return false;
    const Change& last = undo_.back();
    if (begin == end) {
        bool isTyping = last.removed.empty() && begin == last.at + last.inserted.size() && with.size() < 64;
        // A word begins: what was before it is undone later.
        return isTyping && !last.inserted.empty()
            && !(isWordAt(with, 0) && !isWordAt(last.inserted, last.inserted.size() - 1));
    }
    return with.empty() && last.inserted.empty() && end - begin <= 32 && (end == last.at || begin == last.at);
}

void EditBuffer::remember(Change change) {
    undoBytes_ += change.removed.size() + change.inserted.size() + sizeof(Change);
    undo_.push_back(std::move(change));
    while (undoBytes_ > maximumUndoBytes && undo_.size() > 1) {
        undoBytes_ -= undo_.front().removed.size() + undo_.front().inserted.size() + sizeof(Change);
        undo_.pop_front();
    }
}

void EditBuffer::replace(size_t begin, size_t end, std::string_view with) {
    if (begin == end && with.empty())
        return;
    redo_.clear();
    if (extendsLast(begin, end, with)) {
        Change& last = undo_.back();
        undoBytes_ += end - begin + with.size();
        if (begin == end)
            last.inserted += with;
        else if (begin == last.at)
            last.removed.append(text_, begin, end - begin);
        else {
            last.removed.insert(0, text_, begin, end - begin);
            last.at = begin;
        }
    } else {
        remember({begin, text_.substr(begin, end - begin), std::string(with), cursor_});
    }
    apply(begin, end - begin, with);
    cursor_ = begin + with.size();
    isStepOpen_ = true;
}

void EditBuffer::insert(std::string_view text) { replace(cursor_, cursor_, text); }

void EditBuffer::replaceAll(std::string_view text, size_t cursor) {
    if (text == text_) {
        cursor_ = cursor;
        return;
    }
    isStepOpen_ = false;
    // `text` may be our own.
    std::string copy(text);
    replace(0, text_.size(), copy);
    cursor_ = cursor;
    isStepOpen_ = false;
}

bool EditBuffer::undo() {
    if (undo_.empty())
        return false;
    Change change = std::move(undo_.back());
    undo_.pop_back();
    undoBytes_ -= std::min(undoBytes_, change.removed.size() + change.inserted.size() + sizeof(Change));
    apply(change.at, change.inserted.size(), change.removed);
    cursor_ = change.cursorBefore;
    redo_.push_back(std::move(change));
    isStepOpen_ = false;
    return true;
}

bool EditBuffer::redo() {
    if (redo_.empty())
        return false;
    Change change = std::move(redo_.back());
    redo_.pop_back();
    apply(change.at, change.removed.size(), change.inserted);
    cursor_ = change.at + change.inserted.size();
    remember(std::move(change));
    isStepOpen_ = false;
    return true;
}

void EditBuffer::kill(size_t begin, size_t end) {
    if (begin == end)
        return;
    std::string killed = text_.substr(begin, end - begin);
    if (isKilling_ && !kills_.empty()) {
        if (end == cursor_ && begin != cursor_)
            kills_.back().insert(0, killed);
        else
            kills_.back() += killed;
    } else {
        kills_.push_back(std::move(killed));
        if (kills_.size() > maximumKills)
            kills_.pop_front();
    }
    endStep();
    erase(begin, end);
    endStep();
    isKilling_ = true;
}

bool EditBuffer::yank() {
    if (kills_.empty())
        return false;
    yankedAt_ = cursor_;
    yankedKill_ = kills_.size() - 1;
    endStep();
    insert(kills_[yankedKill_]);
    endStep();
    return true;
}

void EditBuffer::yankPop() {
    if (kills_.empty())
        return;
    yankedKill_ = (yankedKill_ + kills_.size() - 1) % kills_.size();
    replace(yankedAt_, cursor_, kills_[yankedKill_]);
    endStep();
}

size_t EditBuffer::lineBegin(size_t at) const {
    size_t before = at == 0 ? text_.npos : text_.rfind('\n', at - 1);
    return before == text_.npos ? 0 : before + 1;
}

size_t EditBuffer::lineEnd(size_t at) const { return std::min(text_.find('\n', at), text_.size()); }

size_t EditBuffer::column() const {
    size_t columns = 0;
    for (size_t at = lineBegin(cursor_); at < cursor_;) {
        Grapheme grapheme = graphemeAt(text_, at);
        columns += grapheme.columns;
        at += grapheme.bytes;
    }
    return columns;
}

size_t EditBuffer::placeAt(size_t begin, size_t column) const {
    size_t at = begin, end = lineEnd(begin), columns = 0;
    while (at < end) {
        Grapheme grapheme = graphemeAt(text_, at);
        if (columns + grapheme.columns > column)
            break;
        columns += grapheme.columns;
        at += grapheme.bytes;
    }
    return at;
}

void EditBuffer::transpose() {
    size_t middle = cursor_ == text_.size() ? previousGrapheme(text_, cursor_) : cursor_;
    size_t begin = previousGrapheme(text_, middle), end = nextGrapheme(text_, middle);
    if (begin == middle || end == middle || text_[begin] == '\n' || text_[middle] == '\n')
        return;
    endStep();
    replace(begin, end, text_.substr(middle, end - middle) + text_.substr(begin, middle - begin));
    endStep();
}

namespace {

/// Letters whose cases are a fixed step apart: ASCII, Latin-1, Greek, Cyrillic.
u32 inCase(u32 c, bool upper) {
    auto shifted = [&](u32 low, u32 high, u32 step) {
        if (upper && c >= low && c <= high)
            c -= step;
        else if (!upper && c >= low - step && c <= high - step)
            c += step;
    };
    u32 before = c;
    shifted('a', 'z', 32);
    if (c == before && c != 0xF7 && c != 0xD7)
        shifted(0xE0, 0xFE, 32);
    if (c == before && c != 0x3C2 && c != 0x3A2)
        shifted(0x3B1, 0x3C9, 32);
    if (c == before)
        shifted(0x430, 0x44F, 32);
    if (c == before)
        shifted(0x450, 0x45F, 80);
    return c;
}

}

void EditBuffer::changeCase(Case to) {
    size_t end = nextWord(text_, cursor_);
    std::string word;
    bool isFirst = true;
    auto *p = reinterpret_cast<const u8*>(text_.data()) + cursor_,
         *stop = reinterpret_cast<const u8*>(text_.data()) + end;
    while (p != stop) {
        u32 c = decodeUtf8(p, stop);
        appendUtf8(word, inCase(c, to == Case::Upper || (to == Case::Capital && isFirst)));
        isFirst = isFirst && (c == ' ' || c == '\t' || c == '\n');
    }
    endStep();
    replace(cursor_, end, word);
    endStep();
}

}
