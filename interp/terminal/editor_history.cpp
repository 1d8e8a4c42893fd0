// Going through the history, and searching it.
#include "interp/terminal/editor.h"
#include "interp/terminal/grapheme.h"
#include <algorithm>

namespace scr {

/// The text is an entry of the history, unchanged.
bool LineEditor::Impl::isBrowsing() const {
    return historyAt < history.size() && history.at(historyAt) == buffer.text();
}

/// To the next entry that begins with what stood before the cursor when this began; behind the newest one comes back
/// what was there.
void LineEditor::Impl::browse(bool older) {
    if (!isBrowsing()) {
        if (!older)
            return;
        historyAt = history.size();
        browsePrefix = buffer.text().substr(0, buffer.cursor());
        draft = buffer.text();
    }
    size_t i = historyAt;
    while (older ? i > 0 : i < history.size()) {
        i += older ? size_t(-1) : 1;
        if (i == history.size())
            break;
        if (history.at(i).starts_with(browsePrefix) && history.at(i) != buffer.text()) {
            historyAt = i;
            buffer.replaceAll(history.at(i), history.at(i).size());
            return;
        }
    }
    if (!older) {
        historyAt = history.size();
        buffer.replaceAll(draft, draft.size());
    }
}

void LineEditor::Impl::beginSearch(bool older) {
    search = {};
    search.isActive = true;
    search.older = older;
    search.text = buffer.text();
    search.place = buffer.cursor();
    search.entry = isBrowsing() ? historyAt : history.size();
}

/// The next entry with the query in it. `again`: another than the one shown.
void LineEditor::Impl::findMatch(bool older, bool again) {
    search.older = older;
    search.isFailed = false;
    if (search.query.empty())
        return;
    size_t i = search.entry;
    if (again)
        i += older ? size_t(-1) : 1;
    // From behind the newest the first to look at is the newest.
    if (i == history.size() && older)
        i--;
    for (; i < history.size(); i += older ? size_t(-1) : 1) {
        const std::string& entry = history.at(i);
        size_t place = entry.rfind(search.query);
        if (place != entry.npos && !(again && entry == search.text)) {
            search.entry = i;
            search.text = entry;
            search.place = place;
            return;
        }
    }
    search.isFailed = true;
}

void LineEditor::Impl::endSearch(bool accept) {
    if (!search.isActive)
        return;
    search.isActive = false;
    if (accept && !search.query.empty() && search.text != buffer.text()) {
        historyAt = search.entry;
        browsePrefix.clear();
        draft = buffer.text();
        buffer.replaceAll(search.text, search.place);
    } else if (accept && !search.query.empty()) {
        buffer.setCursor(search.place);
    }
}

bool LineEditor::Impl::searchKey(KeyEvent& event) {
    bool plain = !event.alt();
    if ((event.key == Key::Text && plain) || event.key == Key::Paste) {
        search.query += event.text.substr(0, event.text.find('\n'));
        findMatch(search.older, false);
        return true;
    }
    if (event.key == Key::Backspace && plain) {
        search.query.resize(previousGrapheme(search.query, search.query.size()));
        search.entry = search.older ? history.size() : 0;
        findMatch(search.older, false);
        return true;
    }
    if (event.key == Key::Control && plain && (event.code == 'r' || event.code == 's')) {
        bool older = event.code == 'r';
        findMatch(older, true);
        return true;
    }
    bool isCancel = event.key == Key::Control && plain && (event.code == 'g' || event.code == 'c');
    endSearch(!isCancel);
    return (isCancel && event.code == 'g') || event.key == Key::Escape;
}

}
