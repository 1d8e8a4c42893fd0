// Date (ECMA-262 21.4). Local time is the machine's; toLocaleString and its like write as en-US does.
#include "runtime/builtins/date.h"
#include "runtime/builtins/date_math.h"
#include "runtime/loop/event_loop.h"

namespace scr {

namespace {

/// For getters; the other methods name themselves.
Completion<DateObject*> thisDate(Vm& vm, Value self) {
    if (LIKELY(self.isObject() && kindOf(self.asCell()) == Kind::Date))
        return static_cast<DateObject*>(self.asObject());
    return throwError(vm, Error::NotDate);
}

Completion<DateObject*> thisDate(Vm& vm, Value self, std::string_view method) {
    return thisAs<DateObject>(vm, self, Kind::Date, method);
}

double currentTime() { return std::floor(double(wallNanoseconds() / 1000000)); }

std::string localText(double time) {
    double local = localFromUtc(time);
    return dateText(local) + " " + timeText(local, time);
}

Value textValue(Vm& vm, const std::string& text) { return asciiValue(vm, text); }

/// Year, month, day, hours, minutes, seconds, milliseconds of a call, the year as makeFullYear has it.
Completion<double> timeOfArguments(Vm& vm, Args args) {
    double parts[7] = {NAN, 0, 1, 0, 0, 0, 0};
    for (u32 i = 0; i < 7 && i < args.count; i++)
        parts[i] = TRY(toNumber(vm, args[i]));
    double day = makeDay(makeFullYear(parts[0]), parts[1], parts[2]);
    return makeDate(day, makeTime(parts[3], parts[4], parts[5], parts[6]));
}

/// The time value of `new Date(value)`.
Completion<double> timeOfValue(Vm& vm, Value value) {
    if (value.isObject() && kindOf(value.asCell()) == Kind::Date)
        return static_cast<DateObject*>(value.asObject())->time;
    value = TRY(toPrimitive(vm, value));
    if (value.isString())
        return parseDate(TRY(flatten(vm, value.asString())));
    return timeClip(TRY(toNumber(vm, value)));
}

}

// 21.4.2.1 Date ( ...values )
Result date_constructor(Vm& vm, Args args) {
    Value newTarget = vm.takeNewTarget();
    if (newTarget.isUndefined())
        return textValue(vm, localText(currentTime()));
    double time = currentTime();
    if (args.count == 1)
        time = TRY(timeOfValue(vm, args[0]));
    else if (args.count > 1)
        time = timeClip(utcFromLocal(TRY(timeOfArguments(vm, args))));
    Object* prototype = TRY(prototypeFor(vm, args, newTarget, Intrinsic::DatePrototype));
    auto* date =
        static_cast<DateObject*>(allocateObject(vm, Kind::Date, sizeof(DateObject), rootShape(vm, prototype, 0)));
    date->time = time;
    return Value::object(date);
}

Result date_now(Vm&, Args) { return Value::number(currentTime()); }

Result date_parse(Vm& vm, Args args) { return Value::number(parseDate(TRY(flatten(vm, TRY(toString(vm, args[0])))))); }

Result date_UTC(Vm& vm, Args args) { return Value::number(timeClip(TRY(timeOfArguments(vm, args)))); }

// ---- reading fields (21.4.4.2 to 21.4.4.19)

#define FIELD(Name, expression)                                                                                        \
    Result date_get##Name(Vm& vm, Args args) {                                                                         \
        double time = TRY(thisDate(vm, args.self()))->time;                                                            \
        if (std::isnan(time))                                                                                          \
            return Value::nan();                                                                                       \
        [[maybe_unused]] TimeFields f = fieldsOf(localFromUtc(time));                                                  \
        return Value::number(expression);                                                                              \
    }                                                                                                                  \
    Result date_getUTC##Name(Vm& vm, Args args) {                                                                      \
        double time = TRY(thisDate(vm, args.self()))->time;                                                            \
        if (std::isnan(time))                                                                                          \
            return Value::nan();                                                                                       \
        [[maybe_unused]] TimeFields f = fieldsOf(time);                                                                \
        return Value::number(expression);                                                                              \
    }
FIELD(FullYear, f.year)
FIELD(Month, f.month)
FIELD(Date, f.day)
FIELD(Day, f.weekday)
FIELD(Hours, f.hours)
FIELD(Minutes, f.minutes)
FIELD(Seconds, f.seconds)
FIELD(Milliseconds, f.milliseconds)
#undef FIELD

Result date_getTime(Vm& vm, Args args) { return Value::number(TRY(thisDate(vm, args.self()))->time); }

Result date_getYear(Vm& vm, Args args) {
    double time = TRY(thisDate(vm, args.self(), "Date.prototype.getYear"))->time;
    return std::isnan(time) ? Value::nan() : Value::number(fieldsOf(localFromUtc(time)).year - 1900);
}

Result date_getTimezoneOffset(Vm& vm, Args args) {
    double time = TRY(thisDate(vm, args.self()))->time;
    return std::isnan(time) ? Value::nan() : Value::number(-zoneOffset(time));
}

// ---- writing fields (21.4.4.20 to 21.4.4.34)

namespace {

/// Which field a setter's first argument is; the further ones follow it in this order.
enum Field { Year, Month, Day, Hours, Minutes, Seconds, Milliseconds };

Result setFields(Vm& vm, Args args, std::string_view method, bool utc, Field first, u32 most) {
    DateObject* date = TRY(thisDate(vm, args.self(), method));
    double time = date->time, given[4];
    u32 count = args.count < most ? args.count : most;
    // The conversions run also where the date is invalid.
    for (u32 i = 0; i < count; i++)
        given[i] = TRY(toNumber(vm, args[i]));
    if (std::isnan(time)) {
        if (first != Year)
            return Value::nan();
        time = 0;
    } else if (!utc) {
        time = localFromUtc(time);
    }
    TimeFields f = fieldsOf(time);
    double fields[] = {f.year, double(f.month), double(f.day), double(f.hours), double(f.minutes), double(f.seconds),
        double(f.milliseconds)};
    if (!count)
        fields[first] = NAN;
    for (u32 i = 0; i < count; i++)
        fields[u32(first) + i] = given[i];
    double result = makeDate(makeDay(fields[Year], fields[Month], fields[Day]),
        makeTime(fields[Hours], fields[Minutes], fields[Seconds], fields[Milliseconds]));
    date->time = timeClip(utc ? result : utcFromLocal(result));
    return Value::number(date->time);
}

}

#define SETTER(Name, first, most)                                                                                      \
    Result date_set##Name(Vm& vm, Args args) {                                                                         \
        return setFields(vm, args, "Date.prototype.set" #Name, false, first, most);                                    \
    }                                                                                                                  \
    Result date_setUTC##Name(Vm& vm, Args args) {                                                                      \
        return setFields(vm, args, "Date.prototype.setUTC" #Name, true, first, most);                                  \
    }
SETTER(FullYear, Year, 3)
SETTER(Month, Month, 2)
SETTER(Date, Day, 1)
SETTER(Hours, Hours, 4)
SETTER(Minutes, Minutes, 3)
SETTER(Seconds, Seconds, 2)
SETTER(Milliseconds, Milliseconds, 1)
#undef SETTER

Result date_setTime(Vm& vm, Args args) {
    DateObject* date = TRY(thisDate(vm, args.self(), "Date.prototype.setTime"));
    date->time = timeClip(TRY(toNumber(vm, args[0])));
    return Value::number(date->time);
}

// B.2.3.2 Date.prototype.setYear ( year )
Result date_setYear(Vm& vm, Args args) {
    DateObject* date = TRY(thisDate(vm, args.self(), "Date.prototype.setYear"));
    double year = makeFullYear(TRY(toNumber(vm, args[0])));
    double local = std::isnan(date->time) ? 0 : localFromUtc(date->time);
    TimeFields f = fieldsOf(local);
    double day = makeDay(year, f.month, f.day);
    date->time = timeClip(utcFromLocal(makeDate(day, local - std::floor(local / MsPerDay) * MsPerDay)));
    return Value::number(date->time);
}

// ---- to text (21.4.4.35 to 21.4.4.45)

namespace {

std::string clockText(const TimeFields& f) {
    char buffer[32];
    int hour = f.hours % 12 ? f.hours % 12 : 12;
    std::snprintf(buffer, sizeof buffer, "%d:%02d:%02d %s", hour, f.minutes, f.seconds, f.hours < 12 ? "AM" : "PM");
    return buffer;
}

std::string calendarText(const TimeFields& f) {
    char buffer[48];
    // The year before 1 is the first before Christ.
    std::snprintf(buffer, sizeof buffer, "%d/%d/%.0f", f.month + 1, f.day, f.year > 0 ? f.year : 1 - f.year);
    return buffer;
}

/// The text that `make` gives for a valid time, "Invalid Date" for none.
template <class Make> Result describe(Vm& vm, Value self, std::string_view method, Make make) {
    double time = TRY(thisDate(vm, self, method))->time;
    return textValue(vm, std::isnan(time) ? "Invalid Date" : make(time));
}

}

Result date_toString(Vm& vm, Args args) { return describe(vm, args.self(), "Date.prototype.toString", localText); }
Result date_toUTCString(Vm& vm, Args args) { return describe(vm, args.self(), "Date.prototype.toUTCString", utcText); }
Result date_toDateString(Vm& vm, Args args) {
    return describe(
        vm, args.self(), "Date.prototype.toDateString", [](double time) { return dateText(localFromUtc(time)); });
}
Result date_toTimeString(Vm& vm, Args args) {
    return describe(
        vm, args.self(), "Date.prototype.toTimeString", [](double time) { return timeText(localFromUtc(time), time); });
}
Result date_toLocaleString(Vm& vm, Args args) {
    return describe(vm, args.self(), "Date.prototype.toLocaleString", [](double time) {
        TimeFields f = fieldsOf(localFromUtc(time));
        return calendarText(f) + ", " + clockText(f);
    });
}
Result date_toLocaleDateString(Vm& vm, Args args) {
    return describe(vm, args.self(), "Date.prototype.toLocaleDateString",
        [](double time) { return calendarText(fieldsOf(localFromUtc(time))); });
}
Result date_toLocaleTimeString(Vm& vm, Args args) {
    return describe(vm, args.self(), "Date.prototype.toLocaleTimeString",
        [](double time) { return clockText(fieldsOf(localFromUtc(time))); });
}

Result date_toISOString(Vm& vm, Args args) {
    double time = TRY(thisDate(vm, args.self(), "Date.prototype.toISOString"))->time;
    if (std::isnan(time))
        return throwError(vm, Error::InvalidTime);
    return textValue(vm, isoText(time));
}

// 21.4.4.37 Date.prototype.toJSON ( key )
Result date_toJSON(Vm& vm, Args args) {
    Object* object = TRY(toObject(vm, args.self()));
    Value primitive = TRY(toPrimitive(vm, Value::object(object), Hint::Number));
    if (primitive.isNumber() && !std::isfinite(primitive.asNumber()))
        return Value::null();
    Value method = TRY(get(vm, object, keyOf(internAscii(vm, "toISOString"))));
    if (!isCallable(method))
        return throwError(vm, Error::NotCallable, "toISOString");
    return call(vm, method, Value::object(object));
}

// 21.4.4.45 Date.prototype [ %Symbol.toPrimitive% ] ( hint )
Result date_toPrimitive(Vm& vm, Args args) {
    if (!args.self().isObject())
        return throwError(vm, Error::Incompatible, "Date.prototype [ @@toPrimitive ]", args.self());
    std::string hint = args[0].isString() ? toUtf8(vm, args[0].asString()) : std::string();
    if (hint != "number" && hint != "string" && hint != "default")
        return throwError(vm, Error::InvalidHint, args[0]);
    String* names[] = {vm.names.toString, vm.names.valueOf};
    bool numberFirst = hint == "number";
    for (u32 i = 0; i < 2; i++) {
        Value method = TRY(get(vm, args.self().asObject(), keyOf(names[numberFirst ? 1 - i : i])));
        if (!isCallable(method))
            continue;
        Value result = TRY(call(vm, method, args.self()));
        if (!result.isObject())
            return result;
    }
    return throwError(vm, Error::ToPrimitive);
}

}
