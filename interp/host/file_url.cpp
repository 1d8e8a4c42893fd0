// URLs and paths: taking apart, joining, encoding (WHATWG URL 4.4, the states that a file: URL passes).
#include "interp/host/file_url.h"
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace scr {

namespace {

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
int hexDigit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    c = lowerAscii(c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

void appendEncoded(std::string& out, char c) {
    constexpr char digits[] = "0123456789ABCDEF";
    auto byte = static_cast<unsigned char>(c);
    (((out += '%') += digits[byte >> 4]) += digits[byte & 15]);
}

/// `special`: what is encoded beside control characters, blanks and all beyond ASCII.
std::string encode(std::string_view text, std::string_view special) {
    std::string out;
    for (char c : text) {
        auto byte = static_cast<unsigned char>(c);
        if (byte <= ' ' || byte >= 0x7F || special.find(c) != special.npos)
            appendEncoded(out, c);
        else
            out += c;
    }
    return out;
}

constexpr std::string_view pathSpecial = "\"#<>?`{}", querySpecial = "\"#<>'", fragmentSpecial = "\"<>`";

/// Tabs and line ends anywhere, blanks and control characters at both ends, do not count (WHATWG URL 4.4).
std::string stripped(std::string_view text) {
    while (!text.empty() && static_cast<unsigned char>(text.front()) <= ' ')
        text.remove_prefix(1);
    while (!text.empty() && static_cast<unsigned char>(text.back()) <= ' ')
        text.remove_suffix(1);
    std::string out;
    for (char c : text)
        if (c != '\t' && c != '\n' && c != '\r')
            out += c;
    return out;
}

/// 1 for "." and its encoded forms, 2 for "..", else 0.
int dots(std::string_view segment) {
    int count = 0;
    for (size_t i = 0; i < segment.size(); count++) {
        bool encoded =
            segment.size() - i >= 3 && segment[i] == '%' && segment[i + 1] == '2' && lowerAscii(segment[i + 2]) == 'e';
        if (segment[i] != '.' && !encoded)
            return 0;
        i += encoded ? 3 : 1;
    }
    return count <= 2 ? count : 0;
}

/// The segments of `path` applied to `folder`, which ends with a slash or is empty.
std::string applySegments(std::string folder, std::string_view path) {
    std::string text = folder + std::string(path);
    std::string out;
    size_t at = 0;
    while (at < text.size()) {
        size_t end = text.find('/', at + 1);
        bool last = end == text.npos;
        std::string_view segment = std::string_view(text).substr(at + 1, (last ? text.size() : end) - at - 1);
        int up = dots(segment);
        if (up == 2)
            out.erase(out.rfind('/') == out.npos ? 0 : out.rfind('/'));
        if (!up)
            (out += '/') += segment;
        else if (last)
            out += '/';
        at = last ? text.size() : end;
    }
    return out.empty() ? "/" : out;
}

/// Splits "?query" and "#fragment" off.
void splitTail(std::string& text, std::string& search, std::string& hash) {
    if (size_t at = text.find('#'); at != text.npos) {
        if (at + 1 < text.size())
            hash = "#" + encode(std::string_view(text).substr(at + 1), fragmentSpecial);
        text.erase(at);
    }
    if (size_t at = text.find('?'); at != text.npos) {
        if (at + 1 < text.size())
            search = "?" + encode(std::string_view(text).substr(at + 1), querySpecial);
        text.erase(at);
    }
}

}

std::string Url::href() const {
    if (!isFile())
        return scheme + path;
    return "file://" + host + path + search + hash;
}

std::string schemeOf(std::string_view text) {
    std::string scheme;
    for (char c : text) {
        if (c == ':')
            return scheme.empty() ? "" : scheme + ":";
        bool follows = !scheme.empty() && ((c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.');
        if (!isLetter(c) && !follows)
            break;
        scheme += lowerAscii(c);
    }
    return "";
}

bool parseUrl(std::string_view given, Url& url) {
    std::string text = stripped(given);
    url = {};
    url.scheme = schemeOf(text);
    if (url.scheme.empty())
        return false;
    text.erase(0, url.scheme.size());
    if (!url.isFile()) {
        // An opaque path: only what is no visible ASCII is encoded. The fragment is no part of what it names.
        for (char c : text)
            if (static_cast<unsigned char>(c) < ' ' || static_cast<unsigned char>(c) >= 0x7F)
                appendEncoded(url.path, c);
            else
                url.path += c;
        return true;
    }
    Url root;
    root.scheme = "file:";
    root.path = "/";
    url = joinUrl(text, root);
    return true;
}

Url joinUrl(std::string_view reference, const Url& base) {
    std::string text = stripped(reference);
    Url url;
    url.scheme = "file:";
    url.host = base.host;
    splitTail(text, url.search, url.hash);
    for (char& c : text)
        if (c == '\\')
            c = '/';
    if (text.starts_with("//")) {
        size_t end = text.find('/', 2);
        url.host = text.substr(2, end == text.npos ? end : end - 2);
        for (char& c : url.host)
            c = lowerAscii(c);
        if (url.host == "localhost")
            url.host.clear();
        text = end == text.npos ? "/" : text.substr(end);
    }
    if (text.empty()) {
        url.path = base.path;
        if (url.search.empty())
            url.search = base.search;
        return url;
    }
    std::string folder = text[0] == '/' ? "" : base.path.substr(0, base.path.rfind('/') + 1);
    url.path = applySegments(folder, encode(text, pathSpecial));
    return url;
}

Url urlOfPath(std::string_view path) {
    Url url;
    url.scheme = "file:";
    url.path = encode(path, "\"#<>?`{}%\\");
    return url;
}

std::string decodePath(std::string_view encoded) {
    std::string out;
    for (size_t i = 0; i < encoded.size(); i++) {
        int high = i + 2 < encoded.size() && encoded[i] == '%' ? hexDigit(encoded[i + 1]) : -1;
        int low = high >= 0 ? hexDigit(encoded[i + 2]) : -1;
        if (low >= 0) {
            out += char(high * 16 + low);
            i += 2;
        } else {
            out += encoded[i];
        }
    }
    return out;
}

// ---- paths

std::string joinPath(std::string_view folder, std::string_view path) {
    std::string text = path.starts_with('/') ? std::string(path) : std::string(folder) + "/" + std::string(path);
    if (!text.starts_with('/'))
        text = currentFolder() + "/" + text;
    std::string out;
    for (size_t at = 0; at < text.size();) {
        size_t end = std::min(text.find('/', at), text.size());
        std::string_view segment = std::string_view(text).substr(at, end - at);
        if (segment == "..")
            out.erase(out.rfind('/') == out.npos ? 0 : out.rfind('/'));
        else if (!segment.empty() && segment != ".")
            (out += '/') += segment;
        at = end + 1;
    }
    return out.empty() ? "/" : out;
}

std::string extensionOf(std::string_view path) {
    std::string_view name = path.substr(path.rfind('/') + 1);
    size_t dot = name.rfind('.');
    return dot == name.npos || dot == 0 ? "" : std::string(name.substr(dot));
}

std::string folderOf(std::string_view path) {
    size_t slash = path.rfind('/');
    return slash == path.npos ? "." : slash == 0 ? "/" : std::string(path.substr(0, slash));
}

std::string realPath(const std::string& path) {
    char* real = path.find('\0') == path.npos ? realpath(path.c_str(), nullptr) : nullptr;
    std::string result = real ? real : path;
    std::free(real);
    return result;
}

std::string currentFolder() {
    char* path = getcwd(nullptr, 0);
    std::string result = path ? path : "/";
    std::free(path);
    return result;
}

FileType fileType(const std::string& path) {
    struct stat info;
    if (path.find('\0') != path.npos || stat(path.c_str(), &info) != 0)
        return FileType::None;
    return S_ISDIR(info.st_mode) ? FileType::Folder : FileType::File;
}

}
