// URLs of modules (WHATWG URL, as far as modules need it): file: URLs taken apart, all others as text. The invariant:
// the path of a file: URL begins with '/', has no "." and ".." segments and is percent-encoded.
#pragma once
#include <string>
#include <string_view>

namespace scr {

struct Url {
    std::string scheme; ///< lower case, with the colon: "file:", "node:"
    std::string host; ///< of a file: URL
    std::string path; ///< of a file: URL: encoded; else all that stands behind the scheme
    std::string search, hash; ///< of a file: URL: with ? and #, or empty

    bool isFile() const { return scheme == "file:"; }
    std::string href() const;
};

inline char lowerAscii(char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; }

/// "x:" in front, if the text is an absolute URL; else empty.
std::string schemeOf(std::string_view text);
/// The absolute URL; false if the text is none.
bool parseUrl(std::string_view text, Url& url);
/// `reference`, which is no absolute URL, as seen from the file: URL `base`.
Url joinUrl(std::string_view reference, const Url& base);
/// For an absolute path, whatever characters it has.
Url urlOfPath(std::string_view path);
/// The path without its encoding.
std::string decodePath(std::string_view encoded);

/// Absolute and without ".", ".." and empty segments; `path` is seen from `folder`. A slash at the end is dropped.
std::string joinPath(std::string_view folder, std::string_view path);
/// The last dot of its name and what stands behind it; empty if there is none but at the beginning.
std::string extensionOf(std::string_view path);
/// All before the last slash; "/" for what lies in the root.
std::string folderOf(std::string_view path);
/// Without symbolic links; the path itself if there is nothing.
std::string realPath(const std::string& path);
/// Of the process; "/" if it is gone.
std::string currentFolder();

enum class FileType : unsigned char { None, File, Folder };
FileType fileType(const std::string& path);

}
