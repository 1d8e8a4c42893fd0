// atob and btoa (HTML 8.3), with Node's errors.
#include "runtime/builtins/base64.h"

namespace scr {

static Completion<String*> inputOf(Vm& vm, Args args) {
    if (args.count == 0)
        return throwCoded(
            vm, Intrinsic::TypeErrorPrototype, "ERR_MISSING_ARGS", "The \"input\" argument must be specified");
    return flatten(vm, TRY(toString(vm, args[0])));
}

static Threw throwInvalid(Vm& vm) { return throwDomException(vm, "InvalidCharacterError", "Invalid character"); }

/// Padding is either absent or right; digits alone must not be one too many.
static Completion<void> checkPadding(Vm& vm, const String* text) {
    u32 digits = 0, padding = 0;
    for (u32 i = 0; i < text->length; i++) {
        char16_t unit = text->unit(i);
        if (unit == ' ' || unit == '\t' || unit == '\n' || unit == '\f' || unit == '\r')
            continue;
        bool isDigit =
            unit < 128 && (u32((unit | 32) - 'a') < 26 || u32(unit - '0') < 10 || unit == '+' || unit == '/');
        if (unit == '=')
            padding++;
        else if (!isDigit || padding)
            return throwInvalid(vm);
        else
            digits++;
    }
    if (padding > 2 || (padding && (digits + padding) % 4))
        return throwInvalid(vm);
    if (digits % 4 == 1)
        return throwDomException(vm, "InvalidCharacterError", "The string to be decoded is not correctly encoded.");
    return {};
}

Result global_atob(Vm& vm, Args args) {
    String* text = TRY(inputOf(vm, args));
    TRY(vm.work(text->length / 64));
    TRY(checkPadding(vm, text));
    Decoded decoded = decodeBase64(text, Alphabet::Base64, LastChunk::Loose, ~u64(0));
    String* result = TRY(newUninitialized(vm, u32(decoded.bytes.size()), false));
    std::copy(decoded.bytes.begin(), decoded.bytes.end(), static_cast<u8*>(const_cast<void*>(result->data)));
    return Value::string(result);
}

Result global_btoa(Vm& vm, Args args) {
    String* text = TRY(inputOf(vm, args));
    TRY(vm.work(text->length / 64));
    std::vector<u8> bytes(text->length);
    for (u32 i = 0; i < text->length; i++) {
        if (text->unit(i) > 255)
            return throwInvalid(vm);
        bytes[i] = u8(text->unit(i));
    }
    return Value::string(TRY(encodeBase64(vm, bytes.data(), bytes.size(), Alphabet::Base64, true)));
}

}
