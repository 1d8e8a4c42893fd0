// Code blocks and scripts as cells: made from what the compiler hands over, traced, freed; and the way from an
// instruction back to its place in the text. The invariant: `words` points into `block`, behind the constants.
#include "interp/bytecode/bytecode.h"
#include "interp/bytecode/inline_cache.h"
#include "runtime/heap/allocator.h"
#include <algorithm>
#include <cstring>

namespace scr {

const OpInfo opInfos[size_t(Op::Count)] = {
#define F(Type, name) #Type " " #name ";"
#define OP(Name, operands, traits, cacheWords) {#Name, "" operands, traits, 1 + cacheWords},
#include "interp/bytecode/opcodes.def"
#undef OP
#undef F
};

static Cell* newBytes(Vm& vm, size_t bytes) {
    return vm.heap.allocate(sizeof(Cell) + bytes, u8(Kind::Bytes), u32(bytes));
}

/// The cell that constants and words of a Code stand in. Whoever has the address of an instruction keeps the Code alive
/// by it: a timer that was armed there.
struct CodeBlock : Cell {
    Ptr<Code> code; ///< null until it is made
    u64 words[];
};

/// Constants in reverse order, then the words. A constant stands as a Value; Code's trace function marks them.
static CodeBlock* newBlock(Vm& vm, const CodeParts& parts) {
    size_t constantCount = parts.constants.size();
    size_t bytes = sizeof(CodeBlock) + (constantCount + parts.words.size()) * sizeof(u64);
    auto* block = static_cast<CodeBlock*>(vm.heap.allocate(bytes, u8(Kind::CodeBlock), 0));
    block->code = nullptr;
    u64* out = block->words;
    for (size_t i = 0; i < constantCount; i++)
        out[constantCount - 1 - i] = parts.constants[i].bits();
    memcpy(out + constantCount, parts.words.data(), parts.words.size() * sizeof(u64));
    return block;
}

static Cell* newTables(Vm& vm, const CodeParts& parts) {
    size_t handlerBytes = parts.handlers.size() * sizeof(Handler);
    size_t placeBytes = parts.places.size() * sizeof(Place);
    if (!handlerBytes && !placeBytes)
        return nullptr;
    Cell* tables = newBytes(vm, handlerBytes + placeBytes);
    char* out = reinterpret_cast<char*>(tables + 1);
    if (handlerBytes)
        memcpy(out, parts.handlers.data(), handlerBytes);
    if (placeBytes)
        memcpy(out + handlerBytes, parts.places.data(), placeBytes);
    return tables;
}

Code* newCode(Vm& vm, const CodeParts& parts) {
    CodeBlock* block = newBlock(vm, parts);
    Cell* tables = newTables(vm, parts);
    Code* code = static_cast<Code*>(vm.heap.allocate(sizeof(Code), u8(Kind::Code), 0));
    code->name = parts.name;
    code->realm = parts.realm;
    code->length = parts.length;
    code->infoFlags = parts.flags;
    code->words = block->words + parts.constants.size();
    code->entryArgc = parts.entryArgc;
    code->registerCount = parts.registerCount;
    code->parameterCount = parts.parameterCount;
    code->restRegister = parts.restRegister;
    code->argumentsRegister = parts.argumentsRegister;
    code->newTargetRegister = parts.newTargetRegister;
    code->instanceSlots = parts.instanceSlots;
    code->frameCapacity = parts.frameCapacity;
    bool slowConstruct =
        parts.restRegister || parts.argumentsRegister || parts.newTargetRegister || (parts.flags & CodeDerivedThis);
    code->constructArgc = slowConstruct ? 0xFFFF : parts.parameterCount;
    code->wordCount = u32(parts.words.size());
    code->constantCount = u32(parts.constants.size());
    code->handlerCount = u32(parts.handlers.size());
    code->placeCount = u32(parts.places.size());
    code->sourceBegin = parts.sourceBegin;
    code->sourceEnd = parts.sourceEnd;
    code->block = block;
    code->tables = tables;
    code->script = parts.script;
    code->sideTables = nullptr;
    block->code = code;
    vm.heap.trackFinalizer(code);
    vm.codes.push_back(code);
    return code;
}

Script* newScript(Vm& vm, std::string name, std::string text) {
    auto* source = new ScriptSource{std::move(name), std::move(text), {}};
    Script* script = static_cast<Script*>(vm.heap.allocate(sizeof(Script), u8(Kind::Script), 0));
    script->source = source;
    script->referrer = nullptr;
    vm.heap.trackFinalizer(script);
    vm.heap.adjustExternal(i64(source->text.size()));
    return script;
}

static void traceCode(Cell* cell, Marker& marker) {
    auto* code = static_cast<Code*>(cell);
    marker.mark(code->name);
    marker.mark(code->realm);
    marker.mark(code->block);
    marker.mark(code->tables);
    marker.mark(code->script);
    marker.markValues(code->words - code->constantCount, code->constantCount);
}

static void traceBlock(Cell* cell, Marker& marker) { marker.mark(static_cast<CodeBlock*>(cell)->code); }

static void finalizeCode(Cell* cell) {
    for (SideTable* table = static_cast<Code*>(cell)->sideTables; table;) {
        SideTable* next = table->next;
        freeMemory(table);
        table = next;
    }
}

static void traceScript(Cell* cell, Marker& marker) { marker.mark(static_cast<Script*>(cell)->referrer); }

static void finalizeScript(Cell* cell) { delete static_cast<Script*>(cell)->source; }

void registerCodeKinds(Vm& vm) {
    vm.heap.setTrace(u8(Kind::Code), traceCode);
    vm.heap.setTrace(u8(Kind::CodeBlock), traceBlock);
    vm.heap.setTrace(u8(Kind::Script), traceScript);
    vm.heap.setFinalizer(u8(Kind::Code), finalizeCode);
    vm.heap.setFinalizer(u8(Kind::Script), finalizeScript);
}

Code* codeAt(Vm& vm, const u64* pc) {
    Cell* cell = pc ? vm.heap.findCell(u64(pc)) : nullptr;
    if (!cell || kindOf(cell) != Kind::CodeBlock)
        return nullptr;
    Code* code = static_cast<CodeBlock*>(cell)->code;
    return code && pc >= code->words && pc < code->words + code->wordCount ? code : nullptr;
}

const Place* findPlace(const Code* code, u32 word) {
    const Place* begin = code->placeCount ? code->places() : nullptr;
    const Place* end = begin + code->placeCount;
    const Place* after = std::upper_bound(begin, end, word, [](u32 w, const Place& place) { return w < place.word; });
    return after == begin ? begin : after - 1;
}

/// Line terminators are LF, CR, CRLF, U+2028 and U+2029 (ECMA-262 12.3); a line begins behind one.
static void findLines(ScriptSource& source) {
    const std::string& text = source.text;
    source.lineStarts.push_back(0);
    for (size_t i = 0; i < text.size(); i++) {
        u8 c = u8(text[i]);
        bool ends = c == '\n' || (c == '\r' && (i + 1 == text.size() || text[i + 1] != '\n'));
        if (c == 0xE2 && i + 2 < text.size() && u8(text[i + 1]) == 0x80 && (u8(text[i + 2]) & 0xFE) == 0xA8) {
            i += 2;
            ends = true;
        }
        if (ends)
            source.lineStarts.push_back(u32(i + 1));
    }
}

LineColumn lineColumn(ScriptSource& source, u32 offset) {
    if (source.lineStarts.empty())
        findLines(source);
    offset = std::min(offset, u32(source.text.size()));
    auto after = std::upper_bound(source.lineStarts.begin(), source.lineStarts.end(), offset);
    u32 line = u32(after - source.lineStarts.begin());
    u32 column = 1;
    for (u32 i = source.lineStarts[line - 1]; i < offset; i++) {
        u8 c = u8(source.text[i]);
        if ((c & 0xC0) != 0x80) // a character begins; four bytes are two UTF-16 units
            column += c >= 0xF0 ? 2 : 1;
    }
    return {line, column};
}

}
