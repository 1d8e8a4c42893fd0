// The methods of String.prototype that wrap a string in an HTML element (ECMA-262 B.2.2).
#include "runtime/builtins/this_string.h"

namespace scr {

/// B.2.2.2.1 CreateHTML. `attribute` may be empty: then there is none.
static Result createHtml(
    Vm& vm, Args args, std::string_view method, std::string_view tag, std::string_view attribute = {}) {
    String* string = TRY(thisString(vm, args, "String.prototype." + std::string(method)));
    StringBuilder out(vm);
    out.append(u'<');
    out.appendAscii(tag);
    if (!attribute.empty()) {
        String* value = TRY(flatten(vm, TRY(toString(vm, args[0]))));
        TRY(vm.work(value->length / 16));
        out.append(u' ');
        out.appendAscii(attribute);
        out.appendAscii("=\"");
        for (u32 i = 0; i < value->length; i++)
            if (value->unit(i) == u'"')
                out.appendAscii("&quot;");
            else
                out.append(value->unit(i));
        out.append(u'"');
    }
    out.append(u'>');
    out.append(string);
    out.appendAscii("</");
    out.appendAscii(tag);
    out.append(u'>');
    return Value::string(TRY(out.finish()));
}

Result string_anchor(Vm& vm, Args args) { return createHtml(vm, args, "anchor", "a", "name"); }
Result string_big(Vm& vm, Args args) { return createHtml(vm, args, "big", "big"); }
Result string_blink(Vm& vm, Args args) { return createHtml(vm, args, "blink", "blink"); }
Result string_bold(Vm& vm, Args args) { return createHtml(vm, args, "bold", "b"); }
Result string_fixed(Vm& vm, Args args) { return createHtml(vm, args, "fixed", "tt"); }
Result string_fontcolor(Vm& vm, Args args) { return createHtml(vm, args, "fontcolor", "font", "color"); }
Result string_fontsize(Vm& vm, Args args) { return createHtml(vm, args, "fontsize", "font", "size"); }
Result string_italics(Vm& vm, Args args) { return createHtml(vm, args, "italics", "i"); }
Result string_link(Vm& vm, Args args) { return createHtml(vm, args, "link", "a", "href"); }
Result string_small(Vm& vm, Args args) { return createHtml(vm, args, "small", "small"); }
Result string_strike(Vm& vm, Args args) { return createHtml(vm, args, "strike", "strike"); }
Result string_sub(Vm& vm, Args args) { return createHtml(vm, args, "sub", "sub"); }
Result string_sup(Vm& vm, Args args) { return createHtml(vm, args, "sup", "sup"); }

}
