// Walking folders for test files. Links to folders are not followed, so the walk ends.
#include "interp/host/test_files.h"
#include "interp/host/run_script.h"
#include <algorithm>
#include <dirent.h>
#include <sys/stat.h>

namespace scr {

static bool isFolder(const std::string& path, bool followsLinks) {
    struct stat info;
    return (followsLinks ? stat(path.c_str(), &info) : lstat(path.c_str(), &info)) == 0 && S_ISDIR(info.st_mode);
}

/// Names in a folder, sorted.
static std::vector<std::string> namesIn(const std::string& folder) {
    std::vector<std::string> names;
    if (DIR* opened = opendir(folder.c_str())) {
        while (dirent* entry = readdir(opened))
            if (entry->d_name[0] != '.')
                names.emplace_back(entry->d_name);
        closedir(opened);
    }
    std::sort(names.begin(), names.end());
    return names;
}

static void walk(const std::string& top, std::vector<std::string>& files) {
    std::vector<std::string> left{top};
    while (!left.empty()) {
        std::string path = left.back();
        left.pop_back();
        if (!isFolder(path, path == top)) {
            if (path.ends_with(".test.scr"))
                files.push_back(path);
            continue;
        }
        std::vector<std::string> names = namesIn(path);
        for (auto name = names.rbegin(); name != names.rend(); ++name)
            if (*name != "node_modules")
                left.push_back((path == "/" ? "" : path) + "/" + *name);
    }
}

bool findTestFiles(const std::vector<std::string>& named, std::vector<std::string>& files, std::string& missing) {
    if (named.empty())
        walk(absolutePath("."), files);
    for (const std::string& name : named) {
        std::string path = absolutePath(name);
        struct stat info;
        size_t before = files.size();
        if (isFolder(path, true))
            walk(path, files);
        else if (stat(path.c_str(), &info) == 0)
            files.push_back(path);
        if (files.size() == before) {
            missing = path;
            return false;
        }
    }
    std::vector<std::string> once;
    for (const std::string& file : files)
        if (std::find(once.begin(), once.end(), file) == once.end())
            once.push_back(file);
    files = std::move(once);
    return true;
}

}
