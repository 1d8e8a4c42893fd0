// The texts that the command reads, and its complaints.
#pragma once
#include "interp/host/cli.h"

namespace scr {

/// "scr: text" on standard error.
void complain(const std::string& text);
/// From now on as an object of JSON (--json).
void complainAsJson();
/// The whole of a descriptor, of at most 512 MiB (EFBIG); false with errno.
bool readAll(int fd, std::string& text);
/// The whole of a file; complains if that cannot be.
bool readFile(const std::string& name, std::string& text);
/// Scripts are UTF-8 text. Complains about one that is not.
bool checkText(const std::string& name, const std::string& text);
/// A file as a script: checked, without the byte order mark in front. Complains.
bool readScriptFile(const std::string& name, std::string& text);
/// The script that the command line means, with the name that errors show. Complains.
bool readScript(const CommandLine& line, std::string& name, std::string& text);

}
