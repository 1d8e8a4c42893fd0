// node:util/types: what a value is, whatever its prototype and its properties say. A proxy is a proxy and nothing else.
#include "runtime/builtins/collection_iterator.h"
#include "runtime/builtins/native.h"
#include "runtime/core/module_namespace.h"
#include "runtime/core/proxy.h"
#include "runtime/core/typed_array.h"

namespace scr {

static bool isKind(Value value, Kind kind) { return value.isObject() && kindOf(value.asCell()) == kind; }

static bool isElement(Value value, ElementType type) {
    return isTypedArray(value) && asTypedArray(value.asObject())->type == type;
}

static bool hasFlag(Value value, u16 flag) {
    return isKind(value, Kind::Function) && (static_cast<Function*>(value.asObject())->info->infoFlags & flag);
}

/// What a wrapper object wraps; a hole if the value is none.
static Value wrapped(Value value) {
    return isKind(value, Kind::PrimitiveWrapper) ? static_cast<PrimitiveWrapper*>(value.asObject())->value
                                                 : Value::hole();
}

static bool iteratesMap(Object* iterator) { return static_cast<CollectionIterator*>(iterator)->ofMap; }

#define TYPE_TEST(name, test)                                                                                          \
    Result types_##name(Vm&, Args args) {                                                                              \
        Value value = args[0];                                                                                         \
        return Value::boolean(test);                                                                                   \
    }
TYPE_TEST(isExternal, (static_cast<void>(value), false))
TYPE_TEST(isDate, isKind(value, Kind::Date))
TYPE_TEST(isArgumentsObject, isKind(value, Kind::Arguments))
TYPE_TEST(isBigIntObject, wrapped(value).isBigInt())
TYPE_TEST(isBooleanObject, wrapped(value).isBoolean())
TYPE_TEST(isNumberObject, wrapped(value).isNumber())
TYPE_TEST(isStringObject, wrapped(value).isString())
TYPE_TEST(isSymbolObject, wrapped(value).isSymbol())
TYPE_TEST(
    isNativeError, isKind(value, Kind::Error) && !(static_cast<ErrorObject*>(value.asObject())->errorFlags & ErrorDom))
TYPE_TEST(isRegExp, (static_cast<void>(value), false))
TYPE_TEST(isAsyncFunction, hasFlag(value, InfoAsync))
TYPE_TEST(isGeneratorFunction, hasFlag(value, InfoGenerator))
TYPE_TEST(isGeneratorObject, isKind(value, Kind::Generator) || isKind(value, Kind::AsyncGenerator))
TYPE_TEST(isPromise, isKind(value, Kind::Promise))
TYPE_TEST(isMap, isKind(value, Kind::Map))
TYPE_TEST(isSet, isKind(value, Kind::Set))
TYPE_TEST(isMapIterator, isKind(value, Kind::CollectionIterator) && iteratesMap(value.asObject()))
TYPE_TEST(isSetIterator, isKind(value, Kind::CollectionIterator) && !iteratesMap(value.asObject()))
TYPE_TEST(isWeakMap, isKind(value, Kind::WeakMap))
TYPE_TEST(isWeakSet, isKind(value, Kind::WeakSet))
TYPE_TEST(isArrayBuffer, isKind(value, Kind::ArrayBuffer))
TYPE_TEST(isDataView, isKind(value, Kind::DataView))
TYPE_TEST(isSharedArrayBuffer, isKind(value, Kind::SharedArrayBuffer))
TYPE_TEST(isProxy, value.isObject() && isProxy(value.asObject()))
TYPE_TEST(isModuleNamespaceObject, value.isObject() && isNamespace(value.asObject()))
TYPE_TEST(isAnyArrayBuffer, isKind(value, Kind::ArrayBuffer) || isKind(value, Kind::SharedArrayBuffer))
TYPE_TEST(isBoxedPrimitive, !wrapped(value).isHole())
TYPE_TEST(isArrayBufferView, isKind(value, Kind::TypedArray) || isKind(value, Kind::DataView))
TYPE_TEST(isTypedArray, isTypedArray(value))
TYPE_TEST(isUint8Array, isElement(value, ElementType::Uint8))
TYPE_TEST(isUint8ClampedArray, isElement(value, ElementType::Uint8Clamped))
TYPE_TEST(isUint16Array, isElement(value, ElementType::Uint16))
TYPE_TEST(isUint32Array, isElement(value, ElementType::Uint32))
TYPE_TEST(isInt8Array, isElement(value, ElementType::Int8))
TYPE_TEST(isInt16Array, isElement(value, ElementType::Int16))
TYPE_TEST(isInt32Array, isElement(value, ElementType::Int32))
TYPE_TEST(isFloat32Array, isElement(value, ElementType::Float32))
TYPE_TEST(isFloat64Array, isElement(value, ElementType::Float64))
TYPE_TEST(isBigInt64Array, (static_cast<void>(value), false))
TYPE_TEST(isBigUint64Array, (static_cast<void>(value), false))
TYPE_TEST(isKeyObject, (static_cast<void>(value), false))
TYPE_TEST(isCryptoKey, (static_cast<void>(value), false))
#undef TYPE_TEST

}
