// Reading scripts, and saying why that failed.
#include "interp/host/script_file.h"
#include "grammar/diagnostic.h"
#include "interp/host/json_report.h"
#include "runtime/base/output.h"
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace scr {

static bool complainsInJson = false;

void complainAsJson() { complainsInJson = true; }

void complain(const std::string& text) {
    std::string line = complainsInJson ? jsonComplaint(text) : "scr: " + text + "\n";
    OutputStream(2).write(line);
}

bool readAll(int fd, std::string& text) {
    constexpr size_t Longest = 512u << 20; // a device may have no end
    char buffer[64 * 1024];
    for (;;) {
        if (text.size() > Longest)
            return errno = EFBIG, false;
        ssize_t count = read(fd, buffer, sizeof buffer);
        if (count == 0)
            return true;
        if (count > 0)
            text.append(buffer, size_t(count));
        else if (errno != EINTR)
            return false;
    }
}

bool readFile(const std::string& name, std::string& text) {
    int fd = open(name.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        complain("cannot open '" + name + "': " + std::strerror(errno));
        return false;
    }
    struct stat info;
    bool folder = fstat(fd, &info) == 0 && S_ISDIR(info.st_mode);
    bool read = !folder && readAll(fd, text);
    int error = errno;
    close(fd);
    if (!read)
        complain("cannot read '" + name + "': " + std::strerror(folder ? EISDIR : error));
    return read;
}

/// The length of the well-formed UTF-8 sequence at `text`, 0 if there is none (Unicode 15, table 3-7).
static size_t sequenceLength(std::string_view text) {
    auto byte = [&](size_t i) { return i < text.size() ? u8(text[i]) : 0; };
    auto follows = [&](size_t i, u8 low = 0x80, u8 high = 0xBF) { return byte(i) >= low && byte(i) <= high; };
    u8 first = byte(0);
    if (first < 0x80)
        return 1;
    if (first >= 0xC2 && first <= 0xDF)
        return follows(1) ? 2 : 0;
    if (first >= 0xE0 && first <= 0xEF)
        return follows(1, first == 0xE0 ? 0xA0 : 0x80, first == 0xED ? 0x9F : 0xBF) && follows(2) ? 3 : 0;
    if (first >= 0xF0 && first <= 0xF4)
        return follows(1, first == 0xF0 ? 0x90 : 0x80, first == 0xF4 ? 0x8F : 0xBF) && follows(2) && follows(3) ? 4 : 0;
    return 0;
}

/// Without the byte order mark in front.
static void dropMark(std::string& text) {
    if (text.starts_with("\xEF\xBB\xBF"))
        text.erase(0, 3);
}

bool checkText(const std::string& name, const std::string& text) {
    unsigned line = 1;
    size_t lineStart = 0;
    for (size_t i = 0; i < text.size();) {
        size_t length = sequenceLength(std::string_view(text).substr(i));
        if (!length && text.find('\0') != text.npos) { // alone, NUL is a character that strings may contain
            Diagnostic found{{u32(i), u32(i) + 1}, "Invalid or unexpected token", {"the file is binary, not a script"}};
            OutputStream(2).write(render(Source(name, text), found) + "\n");
            return false;
        }
        if (!length) {
            char hex[8];
            std::snprintf(hex, sizeof hex, "0x%02X", u8(text[i]));
            complain(name + ":" + std::to_string(line) + ":" + std::to_string(i - lineStart + 1) + ": the byte " + hex
                + " is not valid UTF-8");
            return false;
        }
        if (text[i] == '\n') {
            line++;
            lineStart = i + 1;
        }
        i += length;
    }
    return true;
}

bool readScriptFile(const std::string& name, std::string& text) {
    if (!readFile(name, text) || !checkText(name, text))
        return false;
    dropMark(text);
    return true;
}

bool readScript(const CommandLine& line, std::string& name, std::string& text) {
    switch (line.from) {
    case CommandLine::From::Code:
        name = "[eval]";
        text = line.code;
        break;
    case CommandLine::From::Stdin:
        name = "[stdin]";
        if (!readAll(0, text)) {
            complain(std::string("cannot read standard input: ") + std::strerror(errno));
            return false;
        }
        break;
    case CommandLine::From::File:
        name = line.file;
        if (!readFile(name, text))
            return false;
        break;
    }
    if (!checkText(name, text))
        return false;
    dropMark(text);
    return true;
}

}
