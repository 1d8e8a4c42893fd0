// The longest common subsequence of the lines between a common head and a common tail; past a size nobody reads, only
// the first difference.
#include "tests/diff.h"

#include <algorithm>

namespace scr::test {

namespace {

constexpr size_t largestTable = 2000;
constexpr size_t context = 2;
constexpr size_t mostLines = 60;

struct Line {
    char mark;
    const std::string* text;
};

using Lines = std::vector<std::string>;

// Appends the edit script of expected[from..expectedEnd) against actual[from..actualEnd).
void compareMiddle(const Lines& expected, const Lines& actual, size_t from, size_t expectedEnd, size_t actualEnd,
    std::vector<Line>& script) {
    size_t rows = expectedEnd - from, columns = actualEnd - from;
    if (rows > largestTable || columns > largestTable) {
        if (rows)
            script.push_back({'-', &expected[from]});
        if (columns)
            script.push_back({'+', &actual[from]});
        return;
    }
    // common[i][j]: length of the longest common subsequence of the rows from i and the columns from j.
    std::vector<unsigned short> common((rows + 1) * (columns + 1), 0);
    auto at = [&](size_t i, size_t j) -> unsigned short& { return common[i * (columns + 1) + j]; };
    for (size_t i = rows; i-- > 0;) {
        for (size_t j = columns; j-- > 0;) {
            bool same = expected[from + i] == actual[from + j];
            at(i, j) = same ? (unsigned short)(at(i + 1, j + 1) + 1) : std::max(at(i + 1, j), at(i, j + 1));
        }
    }
    size_t i = 0, j = 0;
    while (i < rows || j < columns) {
        if (i < rows && j < columns && expected[from + i] == actual[from + j]) {
            script.push_back({' ', &expected[from + i]});
            i++, j++;
        } else if (i < rows && (j == columns || at(i + 1, j) >= at(i, j + 1))) {
            script.push_back({'-', &expected[from + i++]});
        } else {
            script.push_back({'+', &actual[from + j++]});
        }
    }
}

std::string render(const std::vector<Line>& script) {
    std::vector<bool> shown(script.size(), false);
    for (size_t i = 0; i < script.size(); i++) {
        if (script[i].mark == ' ')
            continue;
        for (size_t near = i - std::min(i, context); near <= std::min(i + context, script.size() - 1); near++)
            shown[near] = true;
    }
    std::string result;
    size_t count = 0;
    for (size_t i = 0; i < script.size(); i++) {
        if (!shown[i]) {
            if (i > 0 && shown[i - 1])
                result += "  ...\n";
            continue;
        }
        if (++count > mostLines)
            return result + "  (and more)\n";
        (result += script[i].mark) += ' ';
        (result += *script[i].text) += '\n';
    }
    return result;
}

}

std::vector<std::string> splitLines(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        size_t end = text.find('\n');
        lines.emplace_back(text.substr(0, end));
        if (end == std::string_view::npos)
            break;
        text.remove_prefix(end + 1);
    }
    return lines;
}

std::string diff(std::string_view expected, std::string_view actual) {
    if (expected == actual)
        return {};
    Lines left = splitLines(expected), right = splitLines(actual);
    size_t head = 0;
    while (head < left.size() && head < right.size() && left[head] == right[head])
        head++;
    size_t leftEnd = left.size(), rightEnd = right.size();
    while (leftEnd > head && rightEnd > head && left[leftEnd - 1] == right[rightEnd - 1])
        leftEnd--, rightEnd--;
    std::vector<Line> script;
    for (size_t i = head - std::min(head, context); i < head; i++)
        script.push_back({' ', &left[i]});
    compareMiddle(left, right, head, leftEnd, rightEnd, script);
    for (size_t i = leftEnd; i < std::min(leftEnd + context, left.size()); i++)
        script.push_back({' ', &left[i]});
    std::string result = render(script);
    return result.empty() ? "(only the line feed at the end differs)\n" : result;
}

}
