// Writing profiles.
#include "interp/host/profile_output.h"

namespace scr {

namespace {

/// The page: `DATA` stands for the profile. Plain script and style, nothing is loaded from elsewhere.
constexpr std::string_view Page =
#include "interp/host/profile_page.inc"
    ;

/// A JSON string that may also stand inside a <script> element.
std::string quoted(std::string_view text) {
    std::string out = "\"";
    for (char c : text) {
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (u8(c) < 0x20 || c == '<') {
            char escape[8];
            std::snprintf(escape, sizeof escape, "\\u%04x", unsigned(u8(c)));
            out += escape;
        } else {
            out += c;
        }
    }
    return out + '"';
}

template <class List, class Item> std::string joined(const List& list, Item item) {
    std::string out;
    for (const auto& element : list) {
        if (!out.empty())
            out += ',';
        out += item(element);
    }
    return out;
}

// What DevTools read: lines and columns from 0, times in microseconds.
std::string devToolsJson(const Profile& profile) {
    std::string out = "{\"nodes\":[";
    for (size_t i = 0; i < profile.nodes.size(); i++) {
        const ProfileNode& node = profile.nodes[i];
        const ProfileFunction& function = profile.functions[node.function];
        out += std::string(i ? "," : "") + "{\"id\":" + std::to_string(i + 1) + ",\"callFrame\":{\"functionName\":"
            + quoted(function.name) + ",\"scriptId\":\"0\",\"url\":" + quoted(function.file) + ",\"lineNumber\":"
            + std::to_string(i64(function.line) - 1) + ",\"columnNumber\":" + std::to_string(i64(function.column) - 1)
            + "},\"hitCount\":" + std::to_string(node.self) + ",\"children\":["
            + joined(node.children, [](u32 child) { return std::to_string(child + 1); }) + "]";
        if (!node.lines.empty())
            out += ",\"positionTicks\":[" + joined(node.lines, [](auto line) {
                return "{\"line\":" + std::to_string(line.first) + ",\"ticks\":" + std::to_string(line.second) + "}";
            }) + "]";
        out += "}";
    }
    u64 tick = profile.tickMicroseconds, start = profile.startMicroseconds;
    out += "],\"startTime\":" + std::to_string(start) + ",\"endTime\":" + std::to_string(start + profile.ticks * tick)
        + ",\"samples\":[" + joined(profile.samples, [](auto sample) { return std::to_string(sample.first + 1); })
        + "],\"timeDeltas\":["
        + joined(profile.samples, [&](auto sample) { return std::to_string(sample.second * tick); }) + "]}\n";
    return out;
}

/// {"tick":us, "functions":[[name, file, line, column]..], "nodes":[[function, parent, self]..]}
std::string pageJson(const Profile& profile, const std::string& title) {
    std::string out = "{\"title\":" + quoted(title) + ",\"tick\":" + std::to_string(profile.tickMicroseconds);
    out += ",\"functions\":[" + joined(profile.functions, [](const ProfileFunction& function) {
        return "[" + quoted(function.name) + "," + quoted(function.file) + "," + std::to_string(function.line) + ","
            + std::to_string(function.column) + "]";
    });
    out += "],\"nodes\":[" + joined(profile.nodes, [](const ProfileNode& node) {
        return "[" + std::to_string(node.function) + "," + std::to_string(node.parent) + "," + std::to_string(node.self)
            + "]";
    });
    return out + "]}";
}

}

std::string renderProfile(const Profile& profile, const std::string& title, const std::string& fileName) {
    if (fileName.ends_with(".cpuprofile"))
        return devToolsJson(profile);
    std::string page(Page);
    constexpr std::string_view Mark = "/*DATA*/";
    page.replace(page.find(Mark), Mark.size(), pageJson(profile, title));
    return page;
}

}
