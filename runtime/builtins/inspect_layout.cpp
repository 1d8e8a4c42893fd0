// Where lines break: entries on one line if they are few, short and shallow, else one a line; long arrays in columns.
#include "runtime/base/text_width.h"
#include "runtime/builtins/inspect_state.h"
#include <algorithm>

namespace scr {

size_t Inspector::visibleUnits(std::string_view text) const {
    return unitCount(options_.colors ? std::string_view(withoutControls(text)) : text);
}
size_t Inspector::visibleColumns(std::string_view text) const {
    return options_.colors ? columnCount(withoutControls(text)) : columnCount(text);
}

static std::string join(const std::vector<std::string>& parts, std::string_view separator) {
    std::string text;
    for (const std::string& part : parts) {
        if (&part != parts.data())
            text += separator;
        text += part;
    }
    return text;
}

/// `start` is what stands on the line besides the entries.
bool Inspector::fitsLine(const std::vector<std::string>& output, double start, const std::string& base) const {
    // Each entry is followed by a comma, most by a space.
    double total = double(output.size()) + start;
    if (total + double(output.size()) > options_.breakLength)
        return false;
    for (const std::string& entry : output) {
        total += double(visibleUnits(entry));
        if (total > options_.breakLength)
            return false;
    }
    return base.find('\n') == base.npos;
}

/// The entries with braces around. `object` is what they belong to, if columns may depend on it.
std::string Inspector::reduce(std::vector<std::string>& output, const std::string& base, std::string_view open,
    std::string_view close, EntryLayout layout, int depth, Object* object) {
    std::string text;
    auto surround = [&](std::string_view before, std::string_view entries, std::string_view after) {
        (text += before) += entries;
        (text += after) += close;
        return text;
    };
    std::string indentation = "\n" + std::string(indentation_, ' ');
    if (options_.compact == InspectOptions::CompactAll) {
        std::string spacedBase = base.empty() ? "" : " " + base;
        text = std::string(open);
        if (fitsLine(output, 0, base))
            return surround(spacedBase + " ", join(output, ", "), " ");
        bool shortBrace = base.empty() && open.size() == 1;
        return surround(
            shortBrace ? " " : spacedBase + indentation + "  ", join(output, "," + indentation + "  "), " ");
    }
    text = (base.empty() ? "" : base + " ") + std::string(open);
    if (options_.compact >= 1) {
        size_t entries = output.size();
        if (layout == EntryLayout::Array && entries > 6)
            output = groupEntries(output, object);
        // The innermost levels are put on one line, unless they have become columns.
        if (currentDepth_ - depth < options_.compact && entries == output.size()) {
            double start = double(entries + indentation_ + unitCount(open) + unitCount(base) + 10);
            if (fitsLine(output, start, base)) {
                std::string joined = join(output, ", ");
                if (joined.find('\n') == joined.npos)
                    return surround(" ", joined, " ");
            }
        }
    }
    return surround(indentation + "  ", join(output, "," + indentation + "  "), indentation);
}

/// Every one of the first `count` indices holds a number. Runs no script.
bool Inspector::allNumbers(Object* object, size_t count) {
    for (size_t i = 0; i < count; i++) {
        Lookup own = getOwnProperty(vm_, object, PropertyKey::index(u32(i)));
        if (!own.found() || own.isAccessor() || !(own.value.isNumber() || own.value.isBigInt()))
            return false;
    }
    return true;
}

/// How many columns look best: about as wide as high, characters being two and a half times as high as wide.
static double columnsFor(double widest, double total, size_t all, size_t grouped) {
    double bias = std::sqrt(widest - total / double(all));
    double biased = std::max(widest - 3 - bias, 1.0);
    return std::floor(std::sqrt(2.5 * biased * double(grouped)) / biased + 0.5);
}

std::vector<std::string> Inspector::groupEntries(const std::vector<std::string>& output, Object* object) {
    constexpr double separator = 2; // a comma and a space
    // "... n more items" gets a line of its own.
    size_t count = output.size() - (options_.maxArrayLength < double(output.size()) ? 1 : 0);
    std::vector<size_t> widths(count);
    double total = 0, longest = 0;
    for (size_t i = 0; i < count; i++) {
        widths[i] = visibleColumns(output[i]);
        total += double(widths[i]) + separator;
        longest = std::max(longest, double(widths[i]));
    }
    double widest = longest + separator;
    // Three must fit beside each other, and none be much longer than the others.
    if (!(widest * 3 + indentation_ < options_.breakLength && (total / widest > 5 || longest <= 6)))
        return output;
    double most = std::min({columnsFor(widest, total, output.size(), count),
        std::floor((options_.breakLength - indentation_) / widest), options_.compact * 4.0, 15.0});
    if (!(most > 1))
        return output;
    size_t columns = size_t(most);
    std::vector<size_t> columnWidths(columns);
    for (size_t i = 0; i < count; i++)
        columnWidths[i % columns] = std::max(columnWidths[i % columns], widths[i]);
    bool alignRight = !object || allNumbers(object, output.size());
    std::vector<std::string> lines;
    for (size_t first = 0; first < count; first += columns) {
        size_t end = std::min(first + columns, count);
        std::string line;
        for (size_t i = first; i < end; i++) {
            std::string padding(columnWidths[i - first] - widths[i], ' ');
            bool last = i + 1 == end;
            if (alignRight)
                line += padding;
            line += output[i];
            if (!last)
                line += ", ";
            if (!alignRight && !last)
                line += padding;
        }
        lines.push_back(std::move(line));
    }
    if (count < output.size())
        lines.push_back(output[count]);
    return lines;
}

}
