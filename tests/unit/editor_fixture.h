// A line editor whose terminal is a ScreenModel.
#pragma once
#include "interp/terminal/history.h"
#include "interp/terminal/line_editor.h"
#include "tests/unit/screen_model.h"

#include <sys/mman.h>
#include <unistd.h>

namespace scr::test {

/// Whole when brackets and back-quotes are even; completes from a list; previews sums of digits.
struct ToyClient : EditorClient {
    bool isComplete(std::string_view text) override {
        asked++;
        int depth = 0, quotes = 0;
        for (char c : text) {
            depth += (c == '{' || c == '(' || c == '[') - (c == '}' || c == ')' || c == ']');
            quotes += c == '`';
        }
        return depth <= 0 && quotes % 2 == 0;
    }
    Completions complete(std::string_view text, size_t cursor) override {
        Completions found;
        found.from = cursor;
        while (found.from > 0 && isalpha(u8(text[found.from - 1])))
            found.from--;
        std::string_view typed = text.substr(found.from, cursor - found.from);
        for (const std::string& word : words) {
            if (word.empty() || word.starts_with(typed))
                found.words.push_back(word);
        }
        return found;
    }
    std::string preview(std::string_view text, size_t columns) override {
        return text.starts_with("1") ? ("= " + std::string(text)).substr(0, columns) : "";
    }

    std::vector<std::string> words;
    size_t asked = 0;
};

class EditorFixture {
public:
    explicit EditorFixture(size_t columns = 40, size_t rows = 10, bool colors = true)
        : model(columns, rows)
        , out_(memfd_create("screen", MFD_CLOEXEC))
        , editor(options(columns, rows, colors), history, client) {
        milliseconds() = 0;
        editor.begin("> ", "| ");
        drain();
    }
    ~EditorFixture() { close(out_); }

    EditEvent feed(std::string_view bytes) {
        EditEvent event = editor.feed(bytes);
        if (event == EditEvent::None)
            editor.tick();
        drain();
        return event;
    }
    /// A line that is whole, and the prompt again.
    EditEvent enter(std::string_view line) {
        EditEvent event = feed(std::string(line) + "\r");
        if (event == EditEvent::Line || event == EditEvent::Interrupt)
            again();
        return event;
    }
    void again() {
        editor.begin("> ", "| ");
        editor.pending();
        drain();
    }
    void drain() {
        char buffer[65536];
        for (ssize_t n; (n = pread(out_, buffer, sizeof buffer, read_)) > 0; read_ += n)
            model.write(std::string_view(buffer, size_t(n)));
    }
    std::string screen() {
        drain();
        return model.text();
    }
    static i64& milliseconds() {
        static i64 now;
        return now;
    }

    History history;
    ToyClient client;
    ScreenModel model;

private:
    EditorOptions options(size_t columns, size_t rows, bool colors) const {
        EditorOptions result;
        result.in = -1;
        result.out = out_;
        result.colors = colors;
        result.columns = columns;
        result.rows = rows;
        result.clock = [] { return milliseconds(); };
        return result;
    }
    int out_;
    off_t read_ = 0;

public:
    LineEditor editor;
};

}
