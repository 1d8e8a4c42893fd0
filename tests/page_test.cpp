// A page is read into blocks; a block is carried out by a command that /bin/sh gets, with scr in its PATH.
// The invariant: a block that nothing runs is reported, so none can become untrue unseen.
#include "tests/page_test.h"
#include "tests/diff.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <unistd.h>

namespace fs = std::filesystem;

namespace scr::test {

namespace {

struct Block {
    std::string language;
    std::string text;
    std::string fileName; // <!-- file: NAME --> above it
    bool varies = false; // <!-- numbers vary -->: digits are not compared
    size_t line = 0;
};

std::vector<Block> readBlocks(const std::string& page) {
    std::vector<Block> blocks;
    Block block;
    bool inside = false;
    size_t number = 0;
    for (const std::string& line : splitLines(page)) {
        number++;
        if (line.starts_with("```") && !inside) {
            inside = true;
            block.language = line.substr(3);
            block.line = number;
        } else if (line.starts_with("```")) {
            inside = false;
            blocks.push_back(std::move(block));
            block = {};
        } else if (inside) {
            block.text += line + "\n";
        } else if (line.starts_with("<!-- file: ") && line.ends_with(" -->")) {
            block.fileName = line.substr(11, line.size() - 15);
        } else if (line == "<!-- numbers vary -->") {
            block.varies = true;
        } else if (line.starts_with("#")) {
            block = {};
        }
    }
    return blocks;
}

// Each run of digits becomes one, and spaces that aligned them too.
std::string withoutNumbers(std::string_view text) {
    std::string result;
    for (char c : text) {
        bool digit = c >= '0' && c <= '9';
        if ((digit && result.ends_with('0')) || (c == ' ' && result.ends_with(' ')))
            continue;
        result += digit ? '0' : c;
    }
    return result;
}

class Page {
public:
    Page(const std::string& path, const Settings& settings)
        : path_(path)
        , settings_(settings) { }
    ~Page() { fs::remove_all(folder_); }
    std::string check();

private:
    void checkBlock(size_t index);
    void checkConsole(const Block& block);
    void checkSession(const Block& block);
    void checkScript(const Block& block, const Block* output);
    void checkCommands(const Block& block, const Block* output);
    void checkProgram(const Block& block, const Block* output);
    ProcessResult shell(const std::string& command, const std::string& input = "");
    void compare(const Block& block, const std::string& expected, const std::string& actual);
    void wrong(const Block& block, const std::string& what) {
        wrong_ += path_ + ":" + std::to_string(block.line) + ": " + what + "\n";
    }
    void writeFile(const std::string& name, const std::string& text);
    const Block* outputOf(size_t index) const;
    bool isNamedLater(size_t index) const;

    std::string path_;
    const Settings& settings_;
    std::string folder_;
    std::vector<Block> blocks_;
    std::vector<bool> used_; // as the output of another
    std::string wrong_;
};

void Page::writeFile(const std::string& name, const std::string& text) {
    fs::path file = fs::path(folder_) / name;
    fs::create_directories(file.parent_path());
    if (FILE* stream = fopen(file.c_str(), "wb")) {
        fwrite(text.data(), 1, text.size(), stream);
        fclose(stream);
    }
}

// Both streams together, as a reader sees them.
ProcessResult Page::shell(const std::string& command, const std::string& input) {
    std::string bin = fs::path(settings_.program).parent_path().string();
    ProcessRequest request;
    request.argv = {"/bin/sh", "-c", "PATH=" + bin + ":$PATH; exec 2>&1; " + command};
    request.folder = folder_;
    request.input = input;
    request.seconds = 20 * settings_.patience;
    return runProcess(request);
}

void Page::compare(const Block& block, const std::string& expected, const std::string& actual) {
    bool same = block.varies ? withoutNumbers(expected) == withoutNumbers(actual) : expected == actual;
    if (!same)
        wrong(block, "this is not what is printed\n" + diff(expected, actual));
}

// "$ command" lines, each followed by what it prints.
void Page::checkConsole(const Block& block) {
    std::string actual;
    for (const std::string& line : splitLines(block.text)) {
        if (!line.starts_with("$ "))
            continue;
        actual += line + "\n";
        actual += shell(line.substr(2)).out;
    }
    compare(block, block.text, actual);
}

// What is typed at "> " and "... " is no part of what the REPL prints when its input is a pipe.
void Page::checkSession(const Block& block) {
    std::string input, printed;
    for (const std::string& line : splitLines(block.text)) {
        size_t prompt = line.starts_with("> ") || line == ">" ? 2 : line.starts_with("... ") ? 4 : 0;
        if (prompt) {
            input += line.substr(std::min(prompt, line.size())) + "\n";
            printed += line.substr(0, prompt);
        } else if (!line.starts_with("$ ")) {
            printed += line + "\n";
        }
    }
    std::string actual = shell("SCR_REPL_HISTORY= scr -i", input).out;
    // The welcome, unless it is shown, and the prompt that the end of the input meets.
    bool showsStart = block.text.starts_with("$ ");
    for (size_t end; !showsStart && !actual.starts_with("> ") && (end = actual.find('\n')) != actual.npos;)
        actual.erase(0, end + 1);
    while (actual.ends_with("> \n") || actual.ends_with("> "))
        actual.erase(actual.rfind("> "));
    compare(block, printed, actual);
}

void Page::checkScript(const Block& block, const Block* output) {
    std::string name = block.fileName.empty() ? "example.scr" : block.fileName;
    writeFile(name, block.text);
    ProcessResult result = shell("scr " + name);
    compare(output ? *output : block, output ? output->text : "", result.out);
}

void Page::checkCommands(const Block& block, const Block* output) {
    std::string printed, line;
    for (const std::string& part : splitLines(block.text)) {
        if (part.ends_with('\\')) {
            line += part.substr(0, part.size() - 1);
            continue;
        }
        line = line + part;
        // Builds and tests are not run from within the tests: that the target is there has to do.
        if (line.starts_with("make")) {
            std::string root = fs::current_path().string();
            std::string target = line.substr(0, line.find('#'));
            if (shell("make -C '" + root + "' -n" + target.substr(4) + " >/dev/null").status != 0)
                wrong(block, "no such target: " + line);
            line.clear();
            continue;
        }
        ProcessResult result = shell(line);
        if (!output && result.status != 0)
            wrong(block, line + "\nends with status " + std::to_string(result.status) + "\n" + result.out);
        printed += result.out;
        line.clear();
    }
    if (output)
        compare(*output, output->text, printed);
}

// A program in C++ is one of examples/, which `make test` builds and runs.
void Page::checkProgram(const Block& block, const Block* output) {
    std::string source = "examples/" + block.fileName;
    if (readFile(source).value_or("") != block.text)
        wrong(block, "this is not " + source);
    std::string expected = fs::path(source).replace_extension(".expected").string();
    if (output && readFile(expected).value_or("") != output->text)
        wrong(*output, "this is not " + expected);
}

// The block without a language right behind it.
const Block* Page::outputOf(size_t index) const {
    const Block* next = index + 1 < blocks_.size() ? &blocks_[index + 1] : nullptr;
    bool isOutput = next && next->language.empty() && !next->text.starts_with("$ ") && !next->text.starts_with("> ");
    return isOutput ? next : nullptr;
}

// A file that a later command names is only written here.
bool Page::isNamedLater(size_t index) const {
    const std::string& name = blocks_[index].fileName;
    for (size_t i = index + 1; i < blocks_.size() && !name.empty(); i++)
        for (const std::string& line : splitLines(blocks_[i].text))
            if ((blocks_[i].language == "sh" || line.starts_with("$ ")) && line.find(name) != line.npos)
                return true;
    return false;
}

void Page::checkBlock(size_t index) {
    const Block& block = blocks_[index];
    const Block* output = outputOf(index);
    auto takesOutput = [&] { used_[index + 1] = used_[index + 1] || output; };
    used_.resize(blocks_.size() + 1);
    if (used_[index] || block.language == "text")
        return;
    if (!block.fileName.empty() && block.language != "cpp"
        && (block.language != "js" || (!output && isNamedLater(index)))) {
        writeFile(block.fileName, block.text);
    } else if (block.language == "js") {
        takesOutput();
        checkScript(block, output);
    } else if (block.language == "cpp") {
        takesOutput();
        checkProgram(block, output);
    } else if (block.language == "sh") {
        takesOutput();
        checkCommands(block, output);
    } else if (block.text.starts_with("$ ") && block.text.find("\n> ") == block.text.npos) {
        checkConsole(block);
    } else if (block.text.starts_with("> ") || block.text.starts_with("$ ")) {
        checkSession(block);
    } else {
        wrong(block, "nothing runs this block (a picture is ```text)");
    }
}

std::string Page::check() {
    char name[] = "/tmp/scr-page-XXXXXX";
    if (!mkdtemp(name))
        return path_ + ": no temporary folder";
    folder_ = name;
    // Commands that build against the project find it here.
    for (const char* part : {"build", "examples", "grammar", "interp", "runtime", "stdlib"})
        fs::create_directory_symlink(fs::absolute(part), fs::path(folder_) / part);
    blocks_ = readBlocks(readFile(path_).value_or(""));
    for (size_t i = 0; i < blocks_.size(); i++)
        checkBlock(i);
    return wrong_;
}

}

std::vector<std::string> findPages() {
    std::vector<std::string> pages{"README.md"};
    for (const auto& entry : fs::directory_iterator("docs"))
        if (entry.path().extension() == ".md")
            pages.push_back(entry.path().string());
    std::sort(pages.begin(), pages.end());
    return pages;
}

std::string checkPage(const std::string& path, const Settings& settings) { return Page(path, settings).check(); }

}
