// Locking: whoever wants to write holds flock() on the file that the path names. It is replaced by a rename, so the
// lock counts only if the path still names the locked file when it was got.
#include "interp/terminal/history_file.h"
#include "runtime/base/utf.h"
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

namespace scr {

namespace {

class File {
public:
    explicit File(int descriptor)
        : descriptor_(descriptor) { }
    File(const File&) = delete;
    ~File() { close(); }
    explicit operator bool() const { return descriptor_ >= 0; }
    int get() const { return descriptor_; }
    bool close() {
        int closed = descriptor_ >= 0 ? ::close(descriptor_) : 0;
        descriptor_ = -1;
        return closed == 0;
    }
    void reset(int descriptor) {
        close();
        descriptor_ = descriptor;
    }

private:
    int descriptor_;
};

/// The folders above `path`, for its owner alone.
void makeFolders(const std::string& path) {
    for (size_t slash = path.find('/', 1); slash != path.npos; slash = path.find('/', slash + 1))
        mkdir(path.substr(0, slash).c_str(), 0700);
}

/// A link keeps pointing to the file that is replaced.
std::string resolved(const std::string& path) {
    char* real = realpath(path.c_str(), nullptr);
    std::string result = real ? real : path;
    free(real);
    return result;
}

int writeAll(int to, std::string_view bytes) {
    while (!bytes.empty()) {
        ssize_t count = ::write(to, bytes.data(), bytes.size());
        if (count > 0)
            bytes.remove_prefix(size_t(count));
        else if (count == 0)
            return EIO;
        else if (errno != EINTR)
            return errno;
    }
    return 0;
}

int readTail(int from, size_t limit, std::vector<std::string>& entries) {
    struct stat status;
    if (fstat(from, &status) != 0)
        return errno;
    if (!S_ISREG(status.st_mode))
        return 0;
    size_t size = size_t(status.st_size), begin = size > limit ? size - limit : 0;
    std::string text(size - begin, '\0');
    size_t done = 0;
    while (done < text.size()) {
        ssize_t count = pread(from, text.data() + done, text.size() - done, off_t(begin + done));
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return errno;
        if (count == 0)
            break;
        done += size_t(count);
    }
    text.resize(done);
    if (begin > 0) // a part of an entry
        text.erase(0, text.find('\n') == text.npos ? text.size() : text.find('\n') + 1);
    entries = parseHistory(text);
    return 0;
}

/// Opens and locks what the path names; it is made if it is missing. Waits for half a second at most: somebody may have
/// been stopped while holding it.
int lock(const std::string& path, File& file) {
    for (int tries = 0; tries < 100; tries++) {
        file.reset(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0600));
        if (!file)
            return errno;
        if (flock(file.get(), LOCK_EX | LOCK_NB) == 0) {
            struct stat ours, named;
            bool isSame = fstat(file.get(), &ours) == 0 && stat(path.c_str(), &named) == 0
                && ours.st_ino == named.st_ino && ours.st_dev == named.st_dev;
            if (isSame)
                return 0;
        } else if (errno != EWOULDBLOCK && errno != EINTR) {
            return 0; // A file system without locks: better unlocked than not at all.
        } else {
            timespec pause{0, 5'000'000};
            nanosleep(&pause, nullptr);
        }
    }
    return EAGAIN;
}

/// In place of `path`, all or nothing; the mode of a file that was there is kept.
int replaceFile(const std::string& path, std::string_view text, mode_t mode) {
    std::string temporary = path + "." + std::to_string(getpid()) + ".tmp";
    unlink(temporary.c_str());
    File file(open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!file)
        return errno;
    int error = writeAll(file.get(), text);
    if (!error && (mode & 0777) != 0600)
        fchmod(file.get(), mode & 0777);
    if (!file.close() && !error)
        error = errno;
    if (!error && rename(temporary.c_str(), path.c_str()) != 0)
        error = errno;
    if (error)
        unlink(temporary.c_str());
    return error;
}

/// The newest entries that fit, each once in a row.
void trim(std::vector<std::string>& entries, size_t entryLimit, size_t byteLimit) {
    std::vector<std::string> kept;
    for (std::string& entry : entries) {
        if (kept.empty() || kept.back() != entry)
            kept.push_back(std::move(entry));
    }
    size_t bytes = 0, from = kept.size();
    while (from > 0 && kept.size() - from < entryLimit && bytes + kept[from - 1].size() * 2 + 1 <= byteLimit)
        bytes += kept[--from].size() * 2 + 1;
    kept.erase(kept.begin(), kept.begin() + ptrdiff_t(from));
    entries = std::move(kept);
}

}

std::vector<std::string> parseHistory(std::string_view text) {
    std::vector<std::string> entries;
    for (size_t begin = 0; begin < text.size();) {
        size_t end = std::min(text.find('\n', begin), text.size());
        std::string entry;
        for (size_t i = begin; i < end; i++) {
            bool isEscape = text[i] == '\\' && i + 1 < end && (text[i + 1] == 'n' || text[i + 1] == '\\');
            entry += !isEscape ? text[i] : text[++i] == 'n' ? '\n' : '\\';
        }
        begin = end + 1;
        std::string valid;
        auto *p = reinterpret_cast<const u8*>(entry.data()), *stop = p + entry.size();
        if (isAscii(entry.data(), entry.size()))
            valid = std::move(entry);
        else
            while (p != stop) {
                u32 c = decodeUtf8(p, stop);
                appendUtf8(valid, isSurrogate(c) ? ReplacementCharacter : c);
            }
        if (valid.find_first_not_of(" \t\n") != valid.npos)
            entries.push_back(std::move(valid));
    }
    return entries;
}

std::string formatHistory(const std::vector<std::string>& entries) {
    std::string text;
    for (const std::string& entry : entries) {
        for (char c : entry) {
            if (c == '\n')
                text += "\\n";
            else if (c == '\\')
                text += "\\\\";
            else
                text += c;
        }
        text += '\n';
    }
    return text;
}

int readHistoryFile(const std::string& path, size_t limit, std::vector<std::string>& entries) {
    File file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    if (!file)
        return errno == ENOENT || errno == ENOTDIR ? 0 : errno;
    return readTail(file.get(), limit, entries);
}

int addToHistoryFile(
    const std::string& given, const std::vector<std::string>& added, size_t entryLimit, size_t byteLimit) {
    std::string path = resolved(given);
    struct stat status;
    if (stat(path.c_str(), &status) != 0) {
        makeFolders(path);
    } else if (!S_ISREG(status.st_mode)) {
        // A device or a pipe is written to, never replaced.
        File device(open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
        return device ? writeAll(device.get(), formatHistory(added)) : errno;
    }
    File file(-1);
    if (int error = lock(path, file))
        return error;
    std::vector<std::string> entries;
    int error = readTail(file.get(), byteLimit * 2, entries);
    if (error || fstat(file.get(), &status) != 0)
        return error ? error : errno;
    entries.insert(entries.end(), added.begin(), added.end());
    trim(entries, entryLimit, byteLimit);
    return replaceFile(path, formatHistory(entries), status.st_mode);
}

}
