// Uint8Array's own functions and methods: base64 and hexadecimal text (ECMA-262 23.3).
#include "runtime/builtins/base64.h"
#include "runtime/builtins/binary_support.h"

namespace scr {

namespace {

PropertyKey optionKey(Vm& vm, std::string_view name) { return keyOf(internAscii(vm, name)); }

/// 23.3.3.1 ValidateUint8Array
Completion<TypedArray*> thisBytes(Vm& vm, Args args, std::string_view method) {
    if (!isTypedArray(args.self()) || asTypedArray(args.self().asObject())->type != ElementType::Uint8)
        return throwError(vm, Error::Incompatible, method, args.self());
    return asTypedArray(args.self().asObject());
}

Completion<u64> liveLength(Vm& vm, TypedArray* array, std::string_view method) {
    if (array->isOutOfBounds())
        return throwDetached(vm, method);
    return array->currentLength();
}

/// The first argument, which must be a string: nothing is converted.
Completion<String*> textArgument(Vm& vm, Args args) {
    if (!args[0].isString())
        return throwError(vm, Error::NotString, args[0]);
    return flatten(vm, args[0].asString());
}

/// 23.3.3.2 GetOptionsObject; null for undefined.
Completion<Object*> optionsArgument(Vm& vm, Value options) {
    if (options.isUndefined())
        return static_cast<Object*>(nullptr);
    if (!options.isObject())
        return throwError(vm, Error::NotObject, options);
    return options.asObject();
}

/// The number of the option's text among `choices`; 0 for undefined.
template <size_t N>
Completion<size_t> choiceOf(Vm& vm, Object* options, std::string_view name, const std::string_view (&choices)[N]) {
    Value value = options ? TRY(get(vm, options, optionKey(vm, name))) : Value::undefined();
    if (value.isUndefined())
        return size_t(0);
    if (value.isString()) {
        std::string text = toUtf8(vm, value.asString());
        for (size_t i = 0; i < N; i++)
            if (choices[i] == text)
                return i;
    }
    return throwError(vm, Error::BadOption, name);
}

Completion<Alphabet> alphabetOption(Vm& vm, Object* options) {
    return Alphabet(TRY(choiceOf(vm, options, "alphabet", {"base64", "base64url"})));
}

struct DecodeOptions {
    Alphabet alphabet;
    LastChunk lastChunk;
};
Completion<DecodeOptions> decodeOptions(Vm& vm, Value value) {
    Object* options = TRY(optionsArgument(vm, value));
    Alphabet alphabet = TRY(alphabetOption(vm, options));
    auto lastChunk =
        LastChunk(TRY(choiceOf(vm, options, "lastChunkHandling", {"loose", "strict", "stop-before-partial"})));
    return DecodeOptions{alphabet, lastChunk};
}

Threw throwDecoding(Vm& vm, const Decoded& decoded) {
    return throwText(vm, Intrinsic::SyntaxErrorPrototype, decoded.error);
}

Result arrayOf(Vm& vm, const Decoded& decoded) {
    if (decoded.error)
        return throwDecoding(vm, decoded);
    TypedArray* array = TRY(newByteArray(vm, decoded.bytes.size()));
    std::copy(decoded.bytes.begin(), decoded.bytes.end(), array->bytes());
    return Value::object(array);
}

/// 23.3.3.5 SetUint8ArrayBytes, then what became of the text. What was decoded before an error is written all the same.
Result writeInto(Vm& vm, TypedArray* array, const Decoded& decoded) {
    std::copy(decoded.bytes.begin(), decoded.bytes.end(), array->bytes());
    if (decoded.error)
        return throwDecoding(vm, decoded);
    Object* result = newObject(vm, vm.realm->intrinsic(vm, Intrinsic::ObjectPrototype));
    defineDirect(vm, result, optionKey(vm, "read"), Value::number(decoded.read), AllAttributes);
    defineDirect(vm, result, optionKey(vm, "written"), Value::number(u64(decoded.bytes.size())), AllAttributes);
    return Value::object(result);
}

}

// 23.3.1.1 Uint8Array.fromBase64 ( string [ , options ] )
Result uint8Array_fromBase64(Vm& vm, Args args) {
    String* text = TRY(textArgument(vm, args));
    DecodeOptions options = TRY(decodeOptions(vm, args[1]));
    TRY(vm.work(text->length / 64));
    return arrayOf(vm, decodeBase64(text, options.alphabet, options.lastChunk, ~u64(0)));
}

// 23.3.1.2 Uint8Array.fromHex ( string )
Result uint8Array_fromHex(Vm& vm, Args args) {
    String* text = TRY(textArgument(vm, args));
    TRY(vm.work(text->length / 64));
    return arrayOf(vm, decodeHex(text, ~u64(0)));
}

// 23.3.2.1 Uint8Array.prototype.setFromBase64 ( string [ , options ] )
Result uint8Array_setFromBase64(Vm& vm, Args args) {
    constexpr const char* method = "Uint8Array.prototype.setFromBase64";
    TypedArray* array = TRY(thisBytes(vm, args, method));
    String* text = TRY(textArgument(vm, args));
    DecodeOptions options = TRY(decodeOptions(vm, args[1]));
    u64 length = TRY(liveLength(vm, array, method));
    TRY(vm.work(text->length / 64));
    return writeInto(vm, array, decodeBase64(text, options.alphabet, options.lastChunk, length));
}

// 23.3.2.2 Uint8Array.prototype.setFromHex ( string )
Result uint8Array_setFromHex(Vm& vm, Args args) {
    constexpr const char* method = "Uint8Array.prototype.setFromHex";
    TypedArray* array = TRY(thisBytes(vm, args, method));
    String* text = TRY(textArgument(vm, args));
    u64 length = TRY(liveLength(vm, array, method));
    TRY(vm.work(text->length / 64));
    return writeInto(vm, array, decodeHex(text, length));
}

// 23.3.2.3 Uint8Array.prototype.toBase64 ( [ options ] )
Result uint8Array_toBase64(Vm& vm, Args args) {
    constexpr const char* method = "Uint8Array.prototype.toBase64";
    TypedArray* array = TRY(thisBytes(vm, args, method));
    Object* options = TRY(optionsArgument(vm, args[0]));
    Alphabet alphabet = TRY(alphabetOption(vm, options));
    bool padded = !options || !toBoolean(TRY(get(vm, options, optionKey(vm, "omitPadding"))));
    u64 length = TRY(liveLength(vm, array, method));
    TRY(countBytes(vm, length));
    return Value::string(TRY(encodeBase64(vm, array->bytes(), length, alphabet, padded)));
}

// 23.3.2.4 Uint8Array.prototype.toHex ( )
Result uint8Array_toHex(Vm& vm, Args args) {
    constexpr const char* method = "Uint8Array.prototype.toHex";
    TypedArray* array = TRY(thisBytes(vm, args, method));
    u64 length = TRY(liveLength(vm, array, method));
    TRY(countBytes(vm, length));
    return Value::string(TRY(encodeHex(vm, array->bytes(), length)));
}

}
