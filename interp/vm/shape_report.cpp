// Telling what --explain-shapes counted: for each site the shapes it met, where their objects come from, and what keeps
// them from being one.
#include "interp/vm/shape_report.h"
#include "interp/vm/site_watch.h"
#include "interp/vm/slow_paths.h"
#include <algorithm>

namespace scr {

namespace {

/// Sites with one shape that are listed, and sites with several.
constexpr size_t MostSingle = 8, MostMixed = 24;
/// A site with one shape is listed if it ran so often.
constexpr u64 FewestSingle = 10;
/// Shapes told of one site; keys told of one shape.
constexpr size_t ShapesTold = 6, KeysTold = 8;

std::string number(u64 value) {
    std::string digits = std::to_string(value), text;
    for (size_t i = 0; i < digits.size(); i++) {
        if (i && (digits.size() - i) % 3 == 0)
            text += ',';
        text += digits[i];
    }
    return text;
}

std::string times(u64 value, const char* what) {
    return number(value) + " " + what + (value == 1 ? "" : std::string(what).ends_with('s') ? "es" : "s");
}

class Report {
public:
    explicit Report(Vm& vm)
        : vm_(vm)
        , watch_(*vm.siteWatch) { }
    std::string make();

private:
    std::string place(const Birth& birth, bool column = false) const;
    std::string keyText(u64 key) const;
    std::string shapeText(u32 key) const;
    std::string originText(const SeenShape& seen) const;
    std::string keysMissing(const SeenShape& in, const SeenShape& of) const;
    std::string difference(const SeenShape& a, const SeenShape& b) const;
    std::string uniqueAdvice(const SeenShape& seen) const;
    std::string advice(const Site& site) const;
    std::string missText(const Site& site) const;
    void single(const Site& site);
    void mixed(const Site& site);
    std::string heading(const Site& site) const;
    const SeenShape* seen(u32 key) const {
        auto found = watch_.seen.find(key);
        return found == watch_.seen.end() ? nullptr : &found->second;
    }

    Vm& vm_;
    SiteWatch& watch_;
    std::string out_;
};

std::string Report::place(const Birth& birth, bool column) const {
    if (!birth.code)
        return "the engine";
    const Place* where = findPlace(birth.code, birth.word);
    ScriptSource& source = *birth.code->script->source;
    if (!where)
        return source.name;
    LineColumn at = lineColumn(source, where->point);
    return source.name + ":" + std::to_string(at.line) + (column ? ":" + std::to_string(at.column) : "");
}

std::string Report::keyText(u64 key) const {
    PropertyKey property = PropertyKey::fromBits(key);
    if (property.isAtom())
        return toUtf8(vm_, property.asAtom());
    Value description = property.asSymbol()->description;
    std::string text = description.isString() ? toUtf8(vm_, description.asString()) : "";
    return property.isPrivate() ? text : "[" + text + "]";
}

std::string Report::shapeText(u32 key) const {
    switch (key) {
    case KeyString: return "a string";
    case KeySymbol: return "a symbol";
    case KeyBigInt: return "a bigint";
    case KeyNumber: return "a number";
    case KeyBoolean: return "a boolean";
    default: break;
    }
    const SeenShape* shape = seen(key);
    if (!shape)
        return "an object";
    std::string text = shape->className == "Object" || shape->className.empty() ? "" : shape->className + " ";
    if (shape->isPrototype)
        text = "the prototype of " + (shape->className.empty() ? "" : shape->className + "s ") + "objects ";
    if (shape->keys.empty())
        return text + "{}";
    text += "{ ";
    for (size_t i = 0; i < shape->keys.size() && i < KeysTold; i++)
        text += (i ? ", " : "") + keyText(shape->keys[i]);
    if (shape->keys.size() > KeysTold)
        text += ", and " + std::to_string(shape->keys.size() - KeysTold) + " more";
    return text + " }";
}

/// "made at a.scr:3", "made at a.scr:3, as it is since a.scr:9".
std::string Report::originText(const SeenShape& seen) const {
    std::string first = place(seen.births.empty() ? seen.birth : seen.births.front(), true);
    std::string last = place(seen.birth, true);
    if (seen.isUnique)
        return "of its own since " + last;
    return "made at " + first + (first == last ? "" : ", complete at " + last);
}

/// The keys of `of` that `in` has not: "`z`", "`z` and `w`".
std::string Report::keysMissing(const SeenShape& in, const SeenShape& of) const {
    std::vector<std::string> names;
    for (u64 key : of.keys)
        if (std::find(in.keys.begin(), in.keys.end(), key) == in.keys.end())
            names.push_back("`" + keyText(key) + "`");
    std::string text;
    for (size_t i = 0; i < names.size() && i < KeysTold; i++)
        text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
    return names.size() > KeysTold ? text + ", ..." : text;
}

std::string Report::uniqueAdvice(const SeenShape& seen) const {
    if (seen.isPrototype)
        return "";
    Op op = seen.birth.code ? Op(*reinterpret_cast<u16*>(seen.birth.code->words + seen.birth.word)) : Op::Halt;
    if (op == Op::DeleteField || op == Op::DeleteElement)
        return "A property deleted at " + place(seen.birth)
            + " gave the object a shape of its own: assign undefined instead, or keep such keys in a Map.";
    if (seen.keys.size() > MaxSharedProperties)
        return "More than " + std::to_string(MaxSharedProperties) + " properties give an object a shape of its own ("
            + place(seen.birth) + "): keep such keys in a Map.";
    return "An object got a shape of its own at " + place(seen.birth) + ".";
}

/// What keeps two shapes from being one, and what would help.
std::string Report::difference(const SeenShape& a, const SeenShape& b) const {
    auto origin = [&](const SeenShape& s, size_t i) { return place(i < s.births.size() ? s.births[i] : s.birth); };
    if (a.prototype != b.prototype) {
        std::string left = a.className.empty() ? "one class" : a.className;
        std::string right = b.className.empty() ? "another class" : b.className;
        return left == right ? "The objects have different prototypes: two classes both named " + left + "."
                             : "The objects are of different classes, " + left + " and " + right
                + ": a site has one shape only if one class comes here (up to four stay fast).";
    }
    std::string more = keysMissing(a, b), less = keysMissing(b, a);
    size_t common = 0;
    while (common < a.keys.size() && common < b.keys.size() && a.keys[common] == b.keys[common])
        common++;
    if (more.empty() && less.empty() && common == a.keys.size()) {
        if (a.attributes != b.attributes)
            return "The same properties with other attributes (frozen, sealed or redefined at " + place(b.birth) + ").";
        return "The same properties, but the objects begin in two ways, at " + origin(a, 0) + " and " + origin(b, 0)
            + " (a literal with its properties and one that is filled later differ): make them in one place.";
    }
    if (more.empty() && less.empty()) {
        std::string x = keyText(a.keys[common]), y = keyText(b.keys[common]);
        return "Objects made at " + origin(a, common) + " add `" + x + "` before `" + y + "`; those made at "
            + origin(b, common) + " the other way round: add them in one order.";
    }
    if (less.empty() && common == a.keys.size())
        return "Some objects have no " + more + " yet, which " + origin(b, common)
            + " adds: give it a value where the object is made (" + origin(a, 0) + ").";
    if (more.empty() && common == b.keys.size())
        return "Some objects have no " + less + " yet, which " + origin(a, common)
            + " adds: give it a value where the object is made (" + origin(b, 0) + ").";
    std::string text = "Objects made at " + origin(a, 0) + " have " + (less.empty() ? "no " + more : less)
        + ", those made at " + origin(b, 0) + " have " + (more.empty() ? "no " + less : more);
    return text + ": give all of them the same properties in the same order, undefined where there is nothing to say.";
}

std::string Report::missText(const Site& site) const {
    if (site.misses * 20 < site.times || site.misses < 20 || site.shapes.size() > 4)
        return "";
    return "The cache was often emptied: a prototype, or a method that the site had remembered, changed while the "
           "script ran.";
}

std::string Report::advice(const Site& site) const {
    std::vector<std::string> told;
    const SeenShape* first = nullptr;
    bool primitive = false;
    for (const SiteShape& shape : site.shapes) {
        const SeenShape* now = seen(shape.key);
        std::string text;
        if (!now)
            primitive = true;
        else if (now->isUnique && !now->isPrototype)
            text = uniqueAdvice(*now);
        else if (!first)
            first = now;
        else
            text = difference(*first, *now);
        if (!text.empty() && std::find(told.begin(), told.end(), text) == told.end() && told.size() < 3)
            told.push_back(text);
    }
    if (primitive && site.shapes.size() > 1)
        told.push_back("Primitive values and objects come to one place.");
    if (std::string text = missText(site); !text.empty())
        told.push_back(text);
    std::string all;
    for (const std::string& text : told)
        all += "    -> " + text + "\n";
    return all;
}

std::string Report::heading(const Site& site) const {
    const char* kind = site.op == Op::GetField ? "read" : site.op == Op::CallMethod ? "call" : "write";
    std::string text = place({site.code, u32(site.pc - site.code->words)}, true) + "  ";
    std::string expression = expressionText(vm_, site.code, site.pc);
    if (expression.size() > 60)
        expression.clear();
    std::string name = "." + keyText(siteName(site.op, site.pc, site.code).bits());
    if (!expression.ends_with(name))
        expression += name;
    return text + kind + " " + expression + "  " + times(site.times - site.misses, "hit") + ", "
        + times(site.misses, "miss");
}

void Report::single(const Site& site) {
    out_ += heading(site) + ", always " + shapeText(site.shapes[0].key) + "\n";
    if (std::string text = missText(site); !text.empty())
        out_ += "    -> " + text + "\n";
}

void Report::mixed(const Site& site) {
    size_t count = site.shapes.size() + (site.otherTimes ? 1 : 0);
    out_ += heading(site) + ", " + (site.otherTimes ? "more than " : "")
        + std::to_string(site.otherTimes ? MostShapes : count) + " shapes\n";
    for (size_t i = 0; i < site.shapes.size() && i < ShapesTold; i++) {
        const SiteShape& shape = site.shapes[i];
        std::string amount = number(shape.times);
        out_ += std::string(amount.size() < 12 ? 12 - amount.size() : 0, ' ') + amount + "  " + shapeText(shape.key);
        if (const SeenShape* info = seen(shape.key))
            out_ += "  " + originText(*info);
        out_ += "\n";
    }
    if (site.shapes.size() > ShapesTold)
        out_ += "            and others\n";
    out_ += advice(site);
}

std::string Report::make() {
    std::vector<Site> one, several;
    u64 hits = 0, misses = 0;
    for (Site& site : watch_.sites) {
        hits += site.times - site.misses;
        misses += site.misses;
        std::stable_sort(site.shapes.begin(), site.shapes.end(),
            [](const SiteShape& a, const SiteShape& b) { return a.times > b.times; });
        if (site.shapes.size() > 1 || !missText(site).empty())
            several.push_back(site);
        else if (site.times >= FewestSingle)
            one.push_back(site);
    }
    for (std::vector<Site>* sites : {&one, &several})
        std::stable_sort(sites->begin(), sites->end(), [](const Site& a, const Site& b) { return a.times > b.times; });
    out_ = "scr: " + times(watch_.sites.size(), "property and call site") + ", " + number(several.size())
        + " of them with more than one shape; " + times(hits, "hit") + ", " + times(misses, "miss") + "\n";
    if (!several.empty())
        out_ += "\nMore than one shape, or often missed:\n";
    for (size_t i = 0; i < several.size() && i < MostMixed; i++)
        (several[i].shapes.size() > 1 ? mixed(several[i]) : single(several[i]));
    if (several.size() > MostMixed)
        out_ += "and " + number(several.size() - MostMixed) + " more\n";
    if (!one.empty())
        out_ += "\nThe hottest with one shape:\n";
    for (size_t i = 0; i < one.size() && i < MostSingle; i++)
        single(one[i]);
    return std::move(out_);
}

}

std::string shapeReport(Vm& vm) { return vm.siteWatch ? Report(vm).make() : std::string(); }

}
