// Taking a data: URL apart: type, parameters, a comma, and the body, percent-encoded or in base64.
#include "interp/host/data_url.h"
#include "interp/host/file_url.h"

namespace scr {

namespace {

int base64Digit(char c) {
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' || c == '-' ? 62 : c == '/' || c == '_' ? 63 : -1;
}

/// As Buffer.from(text, "base64"): what is no digit is passed over.
std::string decodeBase64(std::string_view text) {
    std::string bytes;
    unsigned bits = 0, count = 0;
    for (char c : text) {
        int digit = base64Digit(c);
        if (c == '=')
            break;
        if (digit < 0)
            continue;
        bits = (bits << 6 | unsigned(digit)) & 0xFFFFFF;
        if ((count += 6) >= 8) {
            count -= 8;
            bytes += char(bits >> count & 0xFF);
        }
    }
    return bytes;
}

}

bool parseDataUrl(std::string_view text, DataUrl& result) {
    size_t comma = text.find(',');
    if (comma == text.npos)
        return false;
    std::string_view head = text.substr(0, comma);
    size_t semicolon = head.find(';');
    result.type.clear();
    for (char c : head.substr(0, semicolon))
        result.type += lowerAscii(c);
    if (result.type.find('/') == result.type.npos)
        return false;
    std::string body = decodePath(text.substr(comma + 1));
    result.body = head.ends_with(";base64") ? decodeBase64(body) : body;
    return true;
}

}
