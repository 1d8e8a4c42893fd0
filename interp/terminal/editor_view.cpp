// What is shown: the text with its colours, what is dimmed, and the rows below.
#include "grammar/highlight.h"
#include "interp/terminal/editor.h"
#include "interp/terminal/grapheme.h"
#include "runtime/base/text_width.h"
#include <algorithm>

namespace scr {

namespace {

// A key must not cost more for a text that nobody types.
constexpr size_t longestHighlighted = 32 << 10, longestPreviewed = 2 << 10;

Style styleOf(TokenKind kind) {
    switch (kind) {
    case TokenKind::Keyword: return Style::Keyword;
    case TokenKind::Constant: return Style::Constant;
    case TokenKind::Number: return Style::Number;
    case TokenKind::String: return Style::String;
    case TokenKind::RegExp: return Style::RegExp;
    case TokenKind::Comment: return Style::Comment;
    }
    return Style::Plain;
}

}

const std::string& LineEditor::Impl::shownText() const { return search.isActive ? search.text : buffer.text(); }

void LineEditor::Impl::clearHints() {
    suggestion.clear();
    preview.clear();
    list.clear();
}

/// Suggestion and preview of the text as it is now.
void LineEditor::Impl::updateHints() {
    suggestion.clear();
    preview.clear();
    const std::string& text = buffer.text();
    if (search.isActive || mode == EditMode::Block || text.size() > longestPreviewed
        || text.find_first_not_of(" \t\n") == text.npos)
        return;
    if (options.colors && buffer.atEnd() && !isBrowsing()) {
        for (size_t i = history.size(); i-- > 0 && suggestion.empty();) {
            if (history.at(i).size() > text.size() && history.at(i).starts_with(text))
                suggestion = history.at(i).substr(text.size());
        }
        if (suggestion.empty() && isWordAt(text, text.size() - 1))
            suggestion = commonCompletion();
    }
    std::string mark = options.colors ? "" : "// ";
    if (list.empty() && columns > mark.size() + 4) {
        preview = withoutControls(client.preview(text, columns - 1 - mark.size()));
        std::replace(preview.begin(), preview.end(), '\n', ' ');
        if (!preview.empty())
            preview = mark + preview;
    }
}

void LineEditor::Impl::highlightText(const std::string& text) {
    if (!options.colors || text.size() > longestHighlighted) {
        spans.clear();
        highlighted.clear();
        return;
    }
    if (text == highlighted)
        return;
    spans.clear();
    for (const Highlight& part : highlight(text))
        spans.push_back({part.begin, part.end, styleOf(part.kind)});
    highlighted = text;
}

Frame LineEditor::Impl::makeFrame() {
    const std::string& text = shownText();
    std::vector<Row> below;
    if (search.isActive) {
        std::string head =
            std::string(search.isFailed ? "failed-" : "") + (search.older ? "bck" : "fwd") + "-i-search: ";
        below.push_back(lineRow(head + search.query + "_", columns, Style::Dim));
    }
    for (const std::string& row : list)
        below.push_back(lineRow(row, columns, Style::Plain));
    if (list.empty() && !preview.empty())
        below.push_back(lineRow(preview, columns - 1, Style::Dim));
    if (below.size() >= rows)
        below.resize(rows - 1);
    highlightText(text);
    std::vector<StyleSpan> marked;
    bool hasMatch = search.isActive && !search.query.empty() && !search.isFailed;
    if (hasMatch)
        marked.push_back({search.place, search.place + search.query.size(), Style::Match});
    LayoutInput input;
    input.prompt = prompt;
    input.continuation = continuation;
    input.text = text;
    input.cursor = search.isActive ? search.place : buffer.cursor();
    input.spans = hasMatch && options.colors ? &marked : &spans;
    if (!search.isActive && buffer.atEnd())
        input.suggestion = suggestion;
    input.columns = columns;
    input.rows = rows - below.size();
    Frame frame = layout.make(input);
    for (Row& row : below)
        frame.rows.push_back(std::move(row));
    return frame;
}

void LineEditor::Impl::draw() {
    if (!isActive || isHidden || options.dumb)
        return;
    std::string out;
    screen.update(makeFrame(), out);
    put(out);
}

}
