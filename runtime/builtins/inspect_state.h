// Inspector: one inspection under way. Its parts are spread over the inspect_*.cpp files by subject.
//
// Invariants: seen_ holds the objects whose entries are being written, outermost first (each is also held by a C++
// frame, where the collector sees it); whoever raises the indentation lowers it again, but for throws that end the
// inspection.
#pragma once
#include "runtime/builtins/argument_error.h"
#include "runtime/builtins/inspect.h"
#include "runtime/core/proxy.h"
#include <algorithm>
#include <iterator>
#include <optional>

namespace scr {

enum class TextStyle : u8 {
    Special,
    Number,
    BigInt,
    Boolean,
    Undefined,
    Null,
    String,
    Symbol,
    Date,
    RegExp,
    Module,
    Name
};

/// How entries are laid out: Array has entries without keys that may be put into columns; ArrayExtras are the keys of
/// such an object.
enum class EntryLayout : u8 { Object, Array, ArrayExtras };

/// The name of the class an object seems to be of; none: its prototype is null.
using ClassLabel = std::optional<std::string>;

/// What has been found out about an object, before its entries are written.
struct ObjectForm {
    enum class Entries : u8 { None, Array, ArrayProxy, TypedArray, Bytes, Collection, Iterator, Weak, Promise };

    ClassLabel constructor;
    std::string tag;
    std::string base; ///< text in front of the braces
    std::string open = "{", close = "}";
    Array* keys = nullptr; ///< own properties to show, strings and symbols
    u32 firstKey = 0; ///< those before are not shown
    Entries entries = Entries::None; ///< what is shown before the properties
    EntryLayout layout = EntryLayout::Object;
    std::vector<std::string> prototypeProperties;
    Object* standIn = nullptr; ///< has the properties, in place of the object
    bool complete = false; ///< `base` is the whole text

    u32 keyCount() const { return keys->length() - firstKey; }
    bool hasNoKeys() const { return keyCount() == 0 && prototypeProperties.empty(); }
    void finish(std::string text) {
        base = std::move(text);
        complete = true;
    }
};

class Inspector {
public:
    Inspector(Vm& vm, const InspectOptions& options)
        : vm_(vm)
        , options_(options) { }

    Completion<void> formatAll(Value value, std::string& out);
    Completion<void> formatValue(Value value, int depth, std::string& out);
    /// Quoted and styled; not for objects.
    Completion<void> formatPrimitive(Value value, bool styled, std::string& out);

private:
    friend Result util_inspect(Vm&, Args);

    // ---- inspect.cpp
    Completion<bool> formatCustom(Object* object, Value context, int depth, std::string& out);
    Completion<void> formatProxy(struct ProxyObject* proxy, int depth, std::string& out);
    bool formatCircular(Object* object, std::string& out);
    Completion<void> formatObject(Object* object, int depth, std::string& out);
    Completion<void> describe(Object* object, int depth, ObjectForm& form);
    Completion<bool> describeArrayProxy(Object* proxy, ObjectForm& form);
    Completion<bool> describeIterable(Object* object, ObjectForm& form);
    Completion<void> describePlain(Object* object, ObjectForm& form);
    Completion<void> writeEntries(Object* object, ObjectForm& form, int depth, std::vector<std::string>& output);
    Completion<void> readTag(Object* object, ObjectForm& form);
    bool tooDeep(int depth) const { return depth > options_.depth; }
    void abandonSeen(size_t from);
    void formatTooDeep(Object* object, const ObjectForm& form, std::string& out);
    u32 referenceOf(Object* object);
    Completion<void> sortEntries(const ObjectForm& form, std::vector<std::string>& output);

    // ---- inspect_names.cpp
    Completion<ClassLabel> constructorName(Object* object, int depth, std::vector<std::string>* properties);
    Completion<bool> ownConstructorName(Object* holder, Object* instance, std::string& name);
    Completion<void> addPrototypeProperties(Object* main, Object* first, int depth, std::vector<std::string>& output);
    Completion<bool> isBuiltinPrototype(Object* object);
    static std::string prefix(
        const ClassLabel& constructor, std::string_view tag, std::string_view fallback, std::string_view size = "");
    std::string classPrefix(Object* object, const ObjectForm& form);
    Completion<void> describeFunction(Object* function, ObjectForm& form);
    Completion<std::string> classBase(Object* function, const ObjectForm& form);
    Completion<void> describeWrapper(PrimitiveWrapper* wrapper, ObjectForm& form);
    Completion<std::string> textOf(Value value);

    // ---- inspect_entries.cpp
    Completion<Array*> ownKeysToShow(Object* object);
    Array* namesToShow(Object* array);
    u8 keyFilter() const { return u8(StringKeys | SymbolKeys | (options_.showHidden ? 0 : OnlyEnumerable)); }
    Completion<void> formatArray(Object* array, int depth, std::vector<std::string>& output);
    Completion<void> formatArrayProxy(Object* proxy, int depth, std::vector<std::string>& output);
    std::string holesText(double count);
    Completion<void> formatHoles(Object* array, u32 from, double limit, int depth, std::vector<std::string>& output);
    Completion<void> formatCollection(
        Object* collection, int depth, bool hasConstructor, std::vector<std::string>& output);
    Completion<void> formatIterated(
        Object* collection, bool pairs, double limit, int depth, std::vector<std::string>& output);
    Completion<std::string> iteratedText(Value item, bool pair, int depth);
    Completion<std::string> entryText(Value key, Value value, bool pair, int depth);
    Completion<double> sizeOf(Object* collection);
    Completion<void> formatIterator(Object* iterator, int depth, std::vector<std::string>& output);
    Completion<void> formatWeak(Object* collection, int depth, std::vector<std::string>& output);
    Completion<void> formatPromise(Object* promise, int depth, std::vector<std::string>& output);
    Completion<void> formatProperty(
        Object* object, int depth, PropertyKey key, EntryLayout layout, std::string& out, Object* receiver = nullptr);
    Completion<void> formatElement(Object* array, int depth, PropertyKey key, std::string& out);
    Completion<void> formatPropertyValue(Object* object, const Lookup& own, int depth, PropertyKey key,
        EntryLayout layout, Object* receiver, std::string& out);
    Completion<void> formatAccessor(const Accessor* accessor, int depth, Object* receiver, std::string& out);
    Completion<void> formatGetterResult(
        Value getter, std::string_view label, int depth, Object* receiver, std::string& out);
    Completion<void> showGetterResult(
        Value getter, const std::string& begin, int depth, Object* receiver, std::string& out);
    void appendKey(PropertyKey key, bool enumerable, std::string& out);
    void appendMore(double remaining, std::vector<std::string>& output);
    double arrayLimit(double length) const;

    // ---- inspect_binary.cpp
    Completion<void> describeTypedArray(Object* object, ObjectForm& form);
    Completion<void> formatTypedArray(Object* object, int depth, bool hasConstructor, std::vector<std::string>& output);
    Completion<void> describeBuffer(Object* object, ObjectForm& form);
    Completion<void> describeDataView(ObjectForm& form);
    Completion<void> formatBytes(Object* object, std::vector<std::string>& output);
    Completion<void> showFirst(std::initializer_list<std::string_view> names, ObjectForm& form);

    // ---- inspect_error.cpp
    Completion<void> describeError(Object* error, ObjectForm& form);
    Completion<std::string> stackOf(Object* error);
    Completion<void> removeShownKeys(Object* error, std::string_view stack, ObjectForm& form);
    Completion<void> addHiddenKey(Object* error, PropertyKey key, ObjectForm& form);
    Completion<void> addSuppressed(Object* error, ObjectForm& form);
    Completion<void> shortenFrames(Object* error, std::vector<std::string>& frames);
    Completion<size_t> endOfMessage(Object* error, std::string_view stack);

    // ---- inspect_handle.cpp
    Completion<void> formatTimeout(Object* timer, std::string& out);
    Completion<void> describeHandle(Object* handle, ObjectForm& form);
    void showTimeout(struct Timeout* timer, Object* shown);
    void showImmediate(struct Immediate* immediate, Object* shown);
    void showField(Object* shown, std::string_view name, Value value);
    void showSymbols(Object* handle, Object* shown, Value referenced, bool numbered);
    Value neighbour(struct TimerLink* link);
    Value timersList();

    // ---- inspect_layout.cpp
    std::string reduce(std::vector<std::string>& output, const std::string& base, std::string_view open,
        std::string_view close, EntryLayout layout, int depth, Object* object);
    std::vector<std::string> groupEntries(const std::vector<std::string>& output, Object* object);
    bool fitsLine(const std::vector<std::string>& output, double start, const std::string& base) const;
    bool allNumbers(Object* object, size_t count);
    size_t visibleUnits(std::string_view text) const;
    size_t visibleColumns(std::string_view text) const;

    // ---- inspect_text.cpp
    Completion<void> formatString(String* string, bool styled, std::string& out);
    Completion<void> formatNumber(double number, bool styled, std::string& out);

    // ---- inspect_styles.cpp
    void style(std::string_view text, TextStyle style, std::string& out);
    Completion<std::string> styledByScript(std::string_view text, TextStyle style);
    Value stylizer(bool withPrototype);

    // ---- inspect_options.cpp
    Completion<Object*> optionsForScript(bool withPrototype);
    Completion<void> addUserOptions(Object* object, bool withObjects);

    void appendIndentation(std::string& out, u32 extra = 0) const { out.append(indentation_ + extra, ' '); }

    Vm& vm_;
    InspectOptions options_;
    u32 indentation_ = 0;
    int currentDepth_ = 0; ///< of the object described last
    bool insideTypedArray_ = false; ///< what is shown belongs to one: no bytes of its buffer
    bool styleFailed_ = false; ///< the pending exception comes from a script's `stylize`
    bool overflowed_ = false; ///< the pending exception says that the stack ran out in here
    std::vector<Object*> seen_;
    Array* abandoned_ = nullptr; ///< those of seen_ whose inspection a getter ended by throwing
    Array* circular_ = nullptr; ///< objects that refer to themselves, in the order of their numbers
    std::vector<u64> written_; ///< by indentation: units written, to stop before the text becomes endless
};

/// As Node quotes: single quotes unless the text has some, then double, then backticks. Units [begin, end) of a flat
/// string.
void appendQuotedText(const String* flat, u32 begin, u32 end, std::string& out);
/// The same escapes without quotes around (single quotes are escaped).
void appendEscapedText(const String* flat, std::string& out);

}
