// An error as people see it: Node's head with the line and a caret.
#include "grammar/diagnostic.h"

namespace scr {

std::string excerpt(const Source& source, Span span) {
    Position place = source.position(span.begin);
    std::string_view line = source.line(span.begin);
    std::string result = source.name() + ":" + std::to_string(place.line) + "\n";
    result += line;
    result += "\n";
    // Tabs stay tabs, so that the carets stand below the text.
    size_t start = static_cast<size_t>(source.text().substr(0, span.begin).size());
    size_t before = start - static_cast<size_t>(line.data() - source.text().data());
    for (size_t i = 0; i < before && i < line.size(); i++) {
        if ((line[i] & 0xc0) != 0x80)
            result += line[i] == '\t' ? '\t' : ' ';
    }
    size_t marked = 0;
    for (size_t i = before; i < line.size() && i < before + span.length(); i++)
        marked += (line[i] & 0xc0) != 0x80;
    result.append(marked ? marked : 1, '^');
    return result + "\n";
}

std::string render(const Source& source, const Diagnostic& diagnostic) {
    return excerpt(source, diagnostic.span) + "\nSyntaxError: " + diagnostic.message + "\n";
}

}
