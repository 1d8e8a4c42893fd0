// console.table: rows and columns of what lies in a value, in a frame of box-drawing characters.
#include "runtime/base/text_width.h"
#include "runtime/builtins/argument_error.h"
#include "runtime/builtins/collection_iterator.h"
#include "runtime/builtins/console.h"
#include "runtime/builtins/iteration.h"
#include <algorithm>

namespace scr {

namespace {

/// A column: its head and its cells by row. A cell that nobody set is empty.
struct TableColumn {
    std::string head;
    std::vector<std::string> cells;
    void set(size_t row, std::string text) {
        if (cells.size() <= row)
            cells.resize(row + 1);
        cells[row] = std::move(text);
    }
};

/// What of a collection: KeysTwice is what Node makes of the entries of a Set.
enum class Shown : u8 { Keys, Values, Pairs, KeysTwice };

class TableWriter {
public:
    /// `given`: the options of the console's own, which go before ours.
    TableWriter(Vm& vm, const InspectOptions& options, Value given)
        : vm_(vm)
        , options_(options)
        , given_(given) { }
    Completion<void> fill(Object* data, Object* properties);
    std::string text() const;

private:
    Completion<std::string> cellText(Value value);
    void addHeads(bool pairs);
    Completion<void> fillFromCollection(TablePosition position, Shown shown);
    Completion<void> addEntry(size_t row, Shown shown, Value key, Value value);
    Completion<void> fillIterated(Object* data, bool pairs);
    Completion<void> fillFromRows(Object* data, Object* properties);
    Completion<void> fillRow(size_t row, Value item, Array* keys, bool listed);
    TableColumn& column(PropertyKey key);
    std::string rule(const std::vector<size_t>& widths, const char* left, const char* middle, const char* right) const;

    Vm& vm_;
    const InspectOptions& options_;
    Value given_;
    std::vector<TableColumn> columns_;
    std::vector<PropertyKey> columnKeys_; // of columns_, as far as they have one
    Array* keptKeys_ = nullptr; // keeps columnKeys_ alive
};

Completion<std::string> TableWriter::cellText(Value value) {
    InspectOptions options = options_;
    bool large = value.isObject() && !TRY(isArray(vm_, value)) && kindOf(value.asObject()) != Kind::TypedArray
        && !value.asObject()->isCallable()
        && TRY(ownPropertyKeys(vm_, value.asObject(), StringKeys | OnlyEnumerable))->length() > 2;
    options.set(InspectOption::Depth, Value::int32(large ? -1 : 0));
    options.set(InspectOption::MaxArrayLength, Value::int32(3));
    options.set(InspectOption::BreakLength, Value::number(HUGE_VAL));
    options = TRY(inspectOptionsFrom(vm_, given_, options));
    std::string text;
    TRY(inspect(vm_, value, options, text));
    return text;
}

/// A Map, a Set or one of their iterators.
Completion<void> TableWriter::fillFromCollection(TablePosition position, Shown shown) {
    for (size_t row = 0; HashTable::Entry* entry = position.table ? position.next() : nullptr;) {
        Value key = entry->key, value = shown == Shown::Keys || shown == Shown::KeysTwice ? key : entry->value;
        for (int times = shown == Shown::KeysTwice ? 2 : 1; times; times--, row++)
            TRY(addEntry(row, shown, key, value));
    }
    return {};
}

Completion<void> TableWriter::addEntry(size_t row, Shown shown, Value key, Value value) {
    columns_[0].set(row, TRY(cellText(Value::number(u64(row)))));
    if (shown == Shown::Pairs)
        columns_[1].set(row, TRY(cellText(key)));
    columns_.back().set(row, TRY(cellText(value)));
    return {};
}

/// A Map or Set whose class iterates over something else.
Completion<void> TableWriter::fillIterated(Object* data, bool pairs) {
    size_t row = 0;
    return forEachWith(vm_, TRY(iteratorOf(vm_, Value::object(data))), [&](Value item) -> Completion<void> {
        if (!pairs)
            return addEntry(row++, Shown::Keys, item, item);
        if (item.isNullish()) // in Node's words
            return throwText(vm_, Intrinsic::TypeErrorPrototype,
                std::string("Cannot destructure property '0' of '.for' as it is ")
                    + (item.isNull() ? "null." : "undefined."));
        Value key = TRY(getOf(vm_, item, PropertyKey::index(0)));
        return addEntry(row++, Shown::Pairs, key, TRY(getOf(vm_, item, PropertyKey::index(1))));
    });
}

TableColumn& TableWriter::column(PropertyKey key) {
    auto place = std::find(columnKeys_.begin(), columnKeys_.end(), key);
    if (place != columnKeys_.end())
        return columns_[size_t(place - columnKeys_.begin())];
    Value name = keyToValue(vm_, key);
    (void)pushDense(vm_, keptKeys_->elements_, name); // only the memory limit refuses
    columns_.push_back({textWithSurrogates(vm_, name.asString()), {}});
    columnKeys_.push_back(key);
    return columns_.back();
}

Completion<void> TableWriter::fillRow(size_t row, Value item, Array* keys, bool listed) {
    for (u32 i = 0; i < keys->length(); i++) {
        PropertyKey key = TRY(toPropertyKey(vm_, keys->elements_.dense()[i]));
        if (key.isSymbol())
            continue;
        bool absent = (listed && !item.isObject()) || !TRY(hasOwnProperty(vm_, TRY(toObject(vm_, item)), key));
        std::string text = absent ? std::string() : TRY(cellText(TRY(getOf(vm_, item, key))));
        column(key).set(row, std::move(text));
    }
    return {};
}

Completion<void> TableWriter::fillFromRows(Object* data, Object* properties) {
    keptKeys_ = newArray(vm_);
    Array* rows = TRY(ownPropertyKeys(vm_, data, StringKeys | OnlyEnumerable));
    TableColumn index{"(index)", {}}, values{"Values", {}};
    Array* listed = properties ? TRY(listFromIterable(vm_, Value::object(properties))) : nullptr;
    for (u32 row = 0; row < rows->length(); row++) {
        PropertyKey key = TRY(toPropertyKey(vm_, rows->elements_.dense()[row]));
        index.set(row, textWithSurrogates(vm_, keyToValue(vm_, key).asString()));
        Value item = TRY(get(vm_, data, key));
        if (!listed && !item.isObject())
            values.set(row, TRY(cellText(item)));
        else
            TRY(fillRow(row, item,
                listed ? listed : TRY(ownPropertyKeys(vm_, item.asObject(), StringKeys | OnlyEnumerable)), listed));
    }
    // Columns stand in the order of an object's keys: indices first, ascending.
    std::vector<size_t> order(columns_.size());
    for (size_t i = 0; i < order.size(); i++)
        order[i] = i;
    auto rank = [&](size_t i) { return columnKeys_[i].isIndex() ? columnKeys_[i].asIndex() : 0xFFFFFFFFu; };
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return rank(a) < rank(b); });
    std::vector<TableColumn> sorted{std::move(index)};
    for (size_t i : order)
        sorted.push_back(std::move(columns_[i]));
    if (!values.cells.empty())
        sorted.push_back(std::move(values));
    columns_ = std::move(sorted);
    return {};
}

/// The columns of a collection.
void TableWriter::addHeads(bool pairs) {
    columns_.push_back({"(iteration index)", {}});
    if (pairs)
        columns_.push_back({"Key", {}});
    columns_.push_back({"Values", {}});
}

Completion<void> TableWriter::fill(Object* data, Object* properties) {
    switch (kindOf(data)) {
    case Kind::Map:
    case Kind::Set: {
        bool isMap = kindOf(data) == Kind::Map;
        addHeads(isMap);
        if (!TRY(iteratesPlainly(vm_, data, "tabularData")))
            return fillIterated(data, isMap);
        return fillFromCollection({static_cast<Collection*>(data)->table, 0}, isMap ? Shown::Pairs : Shown::Keys);
    }
    case Kind::CollectionIterator: {
        auto* iterator = static_cast<CollectionIterator*>(data);
        bool entries = iterator->yields == CollectionIterator::Entries;
        Shown shown = entries ? iterator->ofMap ? Shown::Pairs : Shown::KeysTwice
            : iterator->yields == CollectionIterator::Keys || !iterator->ofMap ? Shown::Keys
                                                                               : Shown::Values;
        addHeads(shown == Shown::Pairs);
        return fillFromCollection(iterator->position, shown);
    }
    default: return fillFromRows(data, properties);
    }
}

std::string TableWriter::rule(
    const std::vector<size_t>& widths, const char* left, const char* middle, const char* right) const {
    std::string line = left;
    for (size_t i = 0; i < widths.size(); i++) {
        if (i)
            line += middle;
        for (size_t n = 0; n < widths[i] + 2; n++)
            line += "─";
    }
    return line + right;
}

std::string TableWriter::text() const {
    std::vector<size_t> widths;
    size_t rows = 0;
    auto widthOf = [](const std::string& cell) { return columnCount(withoutControls(cell)); };
    for (const TableColumn& column : columns_) {
        size_t width = widthOf(column.head);
        for (const std::string& cell : column.cells)
            width = std::max(width, widthOf(cell));
        widths.push_back(width);
        rows = std::max(rows, column.cells.size());
    }
    auto line = [&](auto cellOf) {
        std::string text = "│ ";
        for (size_t i = 0; i < columns_.size(); i++) {
            const std::string& cell = cellOf(columns_[i]);
            if (i)
                text += " │ ";
            (text += cell).append(widths[i] - widthOf(cell), ' ');
        }
        return text + " │\n";
    };
    std::string text = rule(widths, "┌", "┬", "┐") + '\n';
    text += line([](const TableColumn& column) -> const std::string& { return column.head; });
    text += rule(widths, "├", "┼", "┤") + '\n';
    static const std::string empty;
    for (size_t row = 0; row < rows; row++)
        text += line([&](const TableColumn& column) -> const std::string& {
            return row < column.cells.size() ? column.cells[row] : empty;
        });
    return text + rule(widths, "└", "┴", "┘");
}

}

static Completion<std::string> tableText(
    Vm& vm, Value data, Value properties, const InspectOptions& options, Value given = Value::undefined()) {
    TableWriter table(vm, options, given);
    TRY(table.fill(data.asObject(), properties.isObject() ? properties.asObject() : nullptr));
    return table.text();
}

Result console_table(Vm& vm, Args args) {
    if (!args[1].isUndefined() && !TRY(isArray(vm, args[1])))
        return throwArgumentType(vm, "properties", "an instance of Array", args[1]);
    Value shown = args[0];
    if (args[0].isObject() && !args[0].asObject()->isCallable())
        shown = utf8Value(vm, TRY(tableText(vm, args[0], args[1], consoleOptions(vm, ConsoleStream::Out))));
    TRY(consolePrint(vm, "log", newArrayFrom(vm, &shown, 1)));
    return Value::undefined();
}

/// (data, properties or undefined, options of inspect): what table() of a console of the script's own prints.
Result internal_tableText(Vm& vm, Args args) {
    return utf8Value(vm, TRY(tableText(vm, args[0], args[1], defaultInspectOptions(vm), args[2])));
}

}
