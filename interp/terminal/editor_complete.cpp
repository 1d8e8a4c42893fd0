// Tab: as much as all words have in common; a second one lists them.
#include "interp/terminal/editor.h"
#include "interp/terminal/grapheme.h"
#include "runtime/base/text_width.h"
#include <algorithm>

namespace scr {

namespace {

/// What all words begin with, not cut within a character.
std::string commonPrefix(const std::vector<std::string>& words) {
    std::string prefix;
    bool isFirst = true;
    for (const std::string& word : words) {
        if (word.empty())
            continue;
        if (isFirst) {
            prefix = word;
            isFirst = false;
            continue;
        }
        auto differs = std::mismatch(prefix.begin(), prefix.end(), word.begin(), word.end());
        prefix.erase(differs.first, prefix.end());
    }
    // A character whose first bytes alone are common.
    size_t end = prefix.size();
    while (end > 0 && (u8(prefix[end - 1]) & 0xC0) == 0x80)
        end--;
    if (end > 0 && u8(prefix[end - 1]) >= 0xC0) {
        u8 lead = u8(prefix[end - 1]);
        size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
        if (prefix.size() - (end - 1) < length)
            prefix.resize(end - 1);
    }
    return prefix;
}

size_t countWords(const std::vector<std::string>& words) {
    return words.size() - size_t(std::count(words.begin(), words.end(), ""));
}

}

std::string LineEditor::Impl::commonCompletion() {
    const std::string& text = buffer.text();
    size_t at = buffer.cursor();
    Completions found = client.complete(text, at);
    if (found.from > at)
        return "";
    std::string prefix = commonPrefix(found.words);
    std::string_view typed = std::string_view(text).substr(found.from, at - found.from);
    return prefix.size() > typed.size() && prefix.starts_with(typed) ? prefix.substr(typed.size()) : "";
}

void LineEditor::Impl::complete() {
    const std::string& text = buffer.text();
    size_t at = buffer.cursor();
    Completions found = client.complete(text, at);
    size_t count = countWords(found.words);
    if (count == 0 || found.from > at)
        return;
    std::string prefix = commonPrefix(found.words);
    std::string_view typed = std::string_view(text).substr(found.from, at - found.from);
    bool grows = prefix.size() > typed.size() || (count == 1 && prefix != typed);
    if (grows) {
        buffer.endStep();
        buffer.replace(found.from, at, prefix);
        buffer.endStep();
        list.clear();
    } else if (count > 1 && last == Last::Tab) {
        listCompletions(found);
    }
}

/// In columns, row after row, each group for itself; no more rows than half of the window or what the text leaves free.
void LineEditor::Impl::listCompletions(const Completions& found) {
    list.clear();
    size_t textLines = size_t(std::count(buffer.text().begin(), buffer.text().end(), '\n')) + 1;
    size_t most = std::max(rows / 2, rows > textLines ? rows - textLines : 0);
    most = std::min(most, rows - 1);
    if (most == 0)
        return;
    size_t shown = 0, count = countWords(found.words), inRow = 0, width = 0;
    std::string row;
    auto flush = [&] {
        if (!row.empty())
            list.push_back(std::move(row));
        row.clear();
        inRow = 0;
    };
    for (size_t i = 0; i < found.words.size(); i++) {
        const std::string& word = found.words[i];
        if (word.empty() || i == 0) { // a group begins: its columns
            flush();
            width = 0;
            for (size_t j = i + (word.empty() ? 1 : 0); j < found.words.size() && !found.words[j].empty(); j++)
                width = std::max(width, columnCount(found.words[j]));
            width = std::min(width, columns);
            if (word.empty())
                continue;
        }
        size_t perRow = std::max<size_t>(1, (columns + 1) / (width + 2));
        if (inRow == perRow) {
            flush();
        }
        if (list.size() + 1 >= most && inRow == 0 && count - shown > perRow) {
            list.push_back("... " + std::to_string(count - shown) + " more");
            return;
        }
        if (inRow > 0)
            row.append((width + 2) * inRow - std::min((width + 2) * inRow, columnCount(row)), ' ');
        row += word;
        inRow++;
        shown++;
    }
    flush();
    if (list.size() > most) {
        list.resize(most);
        list.back() = "...";
    }
}

}
