// What TextEncoder and TextDecoder do with bytes: UTF-8 both ways, UTF-16 of either order and Latin-1 to text.
//
// Invariant: a decoder's state is an array of three that only its script holds: what is left of a sequence that the
// last chunk cut (at most three bytes in the low bits, above them how many), whether the text has begun, after which no
// byte order mark is left out, and whether the decoder was used for a stream.
#include "runtime/base/utf.h"
#include "runtime/builtins/binary_support.h"
#include "runtime/core/string_units.h"

namespace scr {

namespace {

enum class Encoding : u8 { Utf8, Utf16Little, Utf16Big, Latin1 };

struct Decoded {
    std::u16string text;
    bool invalid = false; ///< some of it was replaced by U+FFFD
};

class Decoder {
public:
    Decoder(const u8* p, const u8* end, bool flush)
        : p_(p)
        , end_(end)
        , flush_(flush) { }
    void decodeUtf8Bytes();
    void decodeUtf16(bool bigEndian);
    void decodeLatin1() { out.text.append(p_, end_), p_ = end_; }
    void decodeWindows1252();

    Decoded out;
    const u8* rest() const { return p_; } ///< where a sequence began that is not complete

private:
    void replace() {
        out.text += char16_t(ReplacementCharacter);
        out.invalid = true;
    }
    bool decodeSequence();

    const u8 *p_, *end_;
    bool flush_;
};

/// encoding.spec.whatwg.org 8.1.1, one sequence. False: it goes on behind the end.
bool Decoder::decodeSequence() {
    u32 first = *p_, lower = 0x80, upper = 0xBF, needed, codePoint;
    if (first >= 0xC2 && first <= 0xDF) {
        needed = 1;
        codePoint = first & 0x1F;
    } else if (first >= 0xE0 && first <= 0xEF) {
        lower = first == 0xE0 ? 0xA0 : lower;
        upper = first == 0xED ? 0x9F : upper;
        needed = 2;
        codePoint = first & 0xF;
    } else if (first >= 0xF0 && first <= 0xF4) {
        lower = first == 0xF0 ? 0x90 : lower;
        upper = first == 0xF4 ? 0x8F : upper;
        needed = 3;
        codePoint = first & 7;
    } else {
        p_++;
        replace();
        return true;
    }
    const u8* q = p_ + 1;
    for (; needed; needed--, q++) {
        if (q == end_) {
            if (!flush_)
                return false;
            break;
        }
        if (*q < lower || *q > upper)
            break;
        codePoint = codePoint << 6 | (*q & 0x3F);
        lower = 0x80;
        upper = 0xBF;
    }
    p_ = q;
    if (needed) {
        replace();
    } else if (codePoint < 0x10000) {
        out.text += char16_t(codePoint);
    } else {
        out.text += highSurrogate(codePoint);
        out.text += lowSurrogate(codePoint);
    }
    return true;
}

void Decoder::decodeUtf8Bytes() {
    out.text.reserve(size_t(end_ - p_));
    while (p_ != end_) {
        if (*p_ < 0x80)
            out.text += char16_t(*p_++);
        else if (!decodeSequence())
            return;
    }
}

void Decoder::decodeUtf16(bool bigEndian) {
    auto unitAt = [&](const u8* p) { return char16_t(bigEndian ? p[0] << 8 | p[1] : p[1] << 8 | p[0]); };
    bool cut = false; // the last unit was a high surrogate
    for (; end_ - p_ >= 2; p_ += 2) {
        char16_t unit = unitAt(p_);
        cut = isHighSurrogate(unit);
        if (!isSurrogate(unit)) {
            out.text += unit;
        } else if (isHighSurrogate(unit) && end_ - p_ < 4 && !flush_) {
            return;
        } else if (isHighSurrogate(unit) && end_ - p_ >= 4 && isLowSurrogate(unitAt(p_ + 2))) {
            out.text += unit;
            out.text += unitAt(p_ + 2);
            p_ += 2;
            cut = false;
        } else {
            replace();
        }
    }
    if (p_ != end_ && flush_) {
        p_ = end_;
        if (!cut) // which has told of the same end already
            replace();
    }
}

/// The index of windows-1252 for 0x80 to 0x9F; the others stand for themselves.
void Decoder::decodeWindows1252() {
    static constexpr char16_t upper[32] = {0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030,
        0x0160, 0x2039, 0x0152, 0x8D, 0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
        0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178};
    for (; p_ != end_; p_++)
        out.text += *p_ >= 0x80 && *p_ < 0xA0 ? upper[*p_ - 0x80] : char16_t(*p_);
}

struct ByteRange {
    const u8* begin = nullptr;
    u64 size = 0;
};

/// The bytes of a buffer or a view; false: the value is neither.
bool bytesOf(Value value, ByteRange& range) {
    if (!value.isObject())
        return false;
    Object* object = value.asObject();
    Kind kind = kindOf(object);
    if (kind == Kind::ArrayBuffer || kind == Kind::SharedArrayBuffer) {
        auto* buffer = static_cast<ArrayBuffer*>(object);
        range = {buffer->data, buffer->isDetached() ? 0 : buffer->byteLength};
        return true;
    }
    if (kind != Kind::TypedArray && kind != Kind::DataView)
        return false;
    auto* view = static_cast<BufferView*>(object);
    range = {view->bytes(), view->currentLength() << view->shift};
    return true;
}

}

/// (encoding's number, bytes or undefined, state, ignoreBOM, stream) -> text; null: it had to be mended; undefined:
/// these are no bytes.
static Result decode(Vm& vm, Args args, bool fatal) {
    auto encoding = Encoding(args[0].asInt());
    ByteRange range;
    if (!args[1].isUndefined() && !bytesOf(args[1], range))
        return Value::undefined();
    Value* state = args[2].asObject()->elements()->dense();
    bool stream = args[4].isTrue();
    TRY(vm.work(u32(std::min<u64>(range.size / 64, 1u << 24))));
    if (range.size > String::MaxLength)
        return throwError(vm, Error::StringLength);
    u32 pending = u32(state[0].asInt()), pendingCount = pending >> 24;
    std::string joined;
    const u8* p = range.begin;
    if (pendingCount) {
        for (u32 i = 0; i < pendingCount; i++)
            joined += char(pending >> (8 * i) & 255);
        joined.append(reinterpret_cast<const char*>(range.begin), range.size);
        p = reinterpret_cast<const u8*>(joined.data());
    }
    const u8* end = p + range.size + pendingCount;
    Decoder decoder(p, end, !stream);
    switch (encoding) {
    case Encoding::Utf8: decoder.decodeUtf8Bytes(); break;
    case Encoding::Latin1:
        // Node's windows-1252 is Latin-1 until a decoder is used for a stream.
        state[2] = Value::boolean(stream || state[2].isTrue());
        state[2].isTrue() ? decoder.decodeWindows1252() : decoder.decodeLatin1();
        break;
    default: decoder.decodeUtf16(encoding == Encoding::Utf16Big);
    }
    pending = 0;
    if (stream)
        for (const u8* q = decoder.rest(); q != end; q++)
            pending += (u32(*q) << (8 * (q - decoder.rest()))) + (1u << 24);
    bool failed = fatal && decoder.out.invalid;
    std::u16string& text = decoder.out.text;
    bool begun = state[1].isTrue();
    bool dropsMark = !begun && !args[3].isTrue() && encoding != Encoding::Latin1 && !text.empty() && text[0] == 0xFEFF;
    state[0] = Value::int32(failed ? 0 : i32(pending));
    state[1] = Value::boolean(stream && !failed && (begun || !text.empty()));
    if (failed)
        return Value::null();
    return Value::string(newUtf16(vm, text.data() + dropsMark, u32(text.size() - dropsMark)));
}
Result internal_decode(Vm& vm, Args args) { return decode(vm, args, false); }
Result internal_decodeFatal(Vm& vm, Args args) { return decode(vm, args, true); }

/// (string) -> Uint8Array with its UTF-8.
Result internal_encodeUtf8(Vm& vm, Args args) {
    String* string = TRY(flatten(vm, args[0].asString()));
    TRY(vm.work(string->length / 64));
    std::string bytes = toUtf8(vm, string);
    TypedArray* array = TRY(newByteArray(vm, bytes.size()));
    if (!bytes.empty())
        memcpy(array->bytes(), bytes.data(), bytes.size());
    return Value::object(array);
}

/// (string, Uint8Array, result): as many whole characters as fit; result.read and result.written say how much.
Result internal_encodeInto(Vm& vm, Args args) {
    String* string = TRY(flatten(vm, args[0].asString()));
    TypedArray* array = asTypedArray(args[1].asObject());
    u64 room = array->currentLength(), written = 0;
    TRY(vm.work(u32(std::min<u64>(string->length, room) / 64)));
    room = std::min(room, array->currentLength());
    u32 read = 0;
    while (read < string->length) {
        u32 unit = string->unit(read), used = 1;
        if (isHighSurrogate(unit) && read + 1 < string->length && isLowSurrogate(string->unit(read + 1))) {
            unit = combineSurrogates(char16_t(unit), string->unit(read + 1));
            used = 2;
        } else if (isSurrogate(unit)) {
            unit = ReplacementCharacter;
        }
        char encoded[4];
        unsigned count = encodeUtf8(unit, encoded);
        if (written + count > room)
            break;
        memcpy(array->bytes() + written, encoded, count);
        written += count;
        read += used;
    }
    Object* result = args[2].asObject();
    defineDirect(vm, result, keyOf(internAscii(vm, "read")), Value::number(read), AllAttributes);
    defineDirect(vm, result, keyOf(internAscii(vm, "written")), Value::number(written), AllAttributes);
    return args[2];
}

}
