// A profile as a file: a page with a flame graph that needs nothing else, or the JSON that Chrome's DevTools load.
#pragma once
#include "interp/vm/profiler.h"

namespace scr {

/// A page of HTML, or JSON if `fileName` ends with ".cpuprofile". `title` is shown on the page.
std::string renderProfile(const Profile& profile, const std::string& title, const std::string& fileName);

}
