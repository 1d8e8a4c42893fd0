// Calendar arithmetic (proleptic Gregorian), zones from the C library, and dates as text.
#include "runtime/builtins/date_math.h"
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <limits>

namespace scr {

const char* const weekdayNames[7] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
const char* const monthNames[12] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

static constexpr double NaN = std::numeric_limits<double>::quiet_NaN();

/// Days from 1970-01-01 to the first of a month. Years begin in March here, so that the leap day is the last.
static double daysToMonth(double year, int month) {
    double y = month < 2 ? year - 1 : year;
    double era = std::floor(y / 400), ofEra = y - era * 400;
    int fromMarch = (month + 10) % 12;
    double dayOfYear = (153 * fromMarch + 2) / 5;
    double dayOfEra = ofEra * 365 + std::floor(ofEra / 4) - std::floor(ofEra / 100) + dayOfYear;
    return era * 146097 + dayOfEra - 719468;
}

TimeFields fieldsOf(double time) {
    double days = std::floor(time / MsPerDay);
    int64_t ofDay = int64_t(time - days * MsPerDay);
    int64_t z = int64_t(days) + 719468;
    int64_t era = (z >= 0 ? z : z - 146096) / 146097;
    int64_t dayOfEra = z - era * 146097;
    int64_t yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146096) / 365;
    int64_t dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
    int64_t fromMarch = (5 * dayOfYear + 2) / 153;
    TimeFields fields;
    fields.day = int(dayOfYear - (153 * fromMarch + 2) / 5 + 1);
    fields.month = int(fromMarch < 10 ? fromMarch + 2 : fromMarch - 10);
    fields.year = double(yearOfEra + era * 400 + (fields.month < 2 ? 1 : 0));
    fields.weekday = int(((int64_t(days) + 4) % 7 + 7) % 7);
    fields.hours = int(ofDay / 3600000);
    fields.minutes = int(ofDay / 60000 % 60);
    fields.seconds = int(ofDay / 1000 % 60);
    fields.milliseconds = int(ofDay % 1000);
    return fields;
}

double makeTime(double hours, double minutes, double seconds, double milliseconds) {
    if (!std::isfinite(hours) || !std::isfinite(minutes) || !std::isfinite(seconds) || !std::isfinite(milliseconds))
        return NaN;
    return std::trunc(hours) * MsPerHour + std::trunc(minutes) * MsPerMinute + std::trunc(seconds) * MsPerSecond
        + std::trunc(milliseconds);
}

double makeDay(double year, double month, double day) {
    if (!std::isfinite(year) || !std::isfinite(month) || !std::isfinite(day))
        return NaN;
    // Wide enough for days that lead back from outside the range of times.
    double m = std::trunc(month);
    if (std::fabs(year) > 1e6 || std::fabs(m) > 1e7)
        return NaN;
    double y = std::trunc(year) + std::floor(m / 12);
    int inYear = int(m - std::floor(m / 12) * 12);
    return daysToMonth(y, inYear) + std::trunc(day) - 1;
}

double makeDate(double day, double time) {
    double result = day * MsPerDay + time;
    return std::isfinite(result) ? result : NaN;
}

double timeClip(double time) {
    if (!(std::fabs(time) <= LargestTime))
        return NaN;
    return std::trunc(time) + 0.0;
}

double makeFullYear(double year) {
    if (std::isnan(year))
        return NaN;
    double whole = std::trunc(year);
    return whole >= 0 && whole <= 99 ? 1900 + whole : whole;
}

// ---- zones

static std::tm localTime(double time) {
    time_t seconds = time_t(std::floor(time / 1000));
    std::tm result{};
    // localtime_r need not look at TZ itself; the variable does not change while a script runs.
    static const bool zoneKnown = (tzset(), true);
    (void)zoneKnown;
    localtime_r(&seconds, &result);
    return result;
}

static double offsetAt(double time) { return double(localTime(time).tm_gmtoff) * 1000; }

double localFromUtc(double time) { return time + offsetAt(time); }

double utcFromLocal(double local) {
    if (!(std::fabs(local) <= LargestTime + MsPerDay))
        return NaN;
    double before = offsetAt(local - MsPerDay), after = offsetAt(local + MsPerDay);
    for (double offset : {before, after})
        if (offsetAt(local - offset) == offset)
            return local - offset;
    return local - before;
}

int zoneOffset(double time) { return int(localTime(time).tm_gmtoff / 60); }

/// The C library knows abbreviations, and one may stand for several zones: those that the offset tells apart are named.
std::string zoneName(double time) {
    static constexpr struct {
        std::string_view abbreviation;
        int offset;
        const char* name;
    } known[] = {
        {"UTC", 0, "Coordinated Universal Time"},
        {"GMT", 0, "Greenwich Mean Time"},
        {"BST", 60, "British Summer Time"},
        {"CET", 60, "Central European Standard Time"},
        {"CEST", 120, "Central European Summer Time"},
        {"EET", 120, "Eastern European Standard Time"},
        {"EEST", 180, "Eastern European Summer Time"},
        {"MSK", 180, "Moscow Standard Time"},
        {"IST", 330, "India Standard Time"},
        {"CST", 480, "China Standard Time"},
        {"JST", 540, "Japan Standard Time"},
        {"EST", -300, "Eastern Standard Time"},
        {"EDT", -240, "Eastern Daylight Time"},
        {"CST", -360, "Central Standard Time"},
        {"CDT", -300, "Central Daylight Time"},
        {"MST", -420, "Mountain Standard Time"},
        {"MDT", -360, "Mountain Daylight Time"},
        {"PST", -480, "Pacific Standard Time"},
        {"PDT", -420, "Pacific Daylight Time"},
    };
    std::tm local = localTime(time);
    std::string name = local.tm_zone ? local.tm_zone : "";
    for (const auto& zone : known)
        if (name == zone.abbreviation && local.tm_gmtoff == zone.offset * 60)
            return zone.name;
    return name;
}

// ---- to text

template <class... Numbers> static std::string format(const char* pattern, Numbers... numbers) {
    char buffer[96];
    std::snprintf(buffer, sizeof buffer, pattern, numbers...);
    return buffer;
}

static std::string yearText(double year) { return format(year < 0 ? "-%04.0f" : "%04.0f", std::fabs(year)); }

std::string isoText(double time) {
    TimeFields f = fieldsOf(time);
    std::string year = f.year >= 0 && f.year <= 9999 ? format("%04.0f", f.year)
                                                     : format(f.year < 0 ? "-%06.0f" : "+%06.0f", std::fabs(f.year));
    return year
        + format("-%02d-%02dT%02d:%02d:%02d.%03dZ", f.month + 1, f.day, f.hours, f.minutes, f.seconds, f.milliseconds);
}

std::string utcText(double time) {
    TimeFields f = fieldsOf(time);
    return format("%s, %02d %s ", weekdayNames[f.weekday], f.day, monthNames[f.month]) + yearText(f.year)
        + format(" %02d:%02d:%02d GMT", f.hours, f.minutes, f.seconds);
}

std::string dateText(double local) {
    TimeFields f = fieldsOf(local);
    return format("%s %s %02d ", weekdayNames[f.weekday], monthNames[f.month], f.day) + yearText(f.year);
}

std::string timeText(double local, double time) {
    TimeFields f = fieldsOf(local);
    int offset = zoneOffset(time), size = offset < 0 ? -offset : offset;
    return format("%02d:%02d:%02d GMT%c%02d%02d (", f.hours, f.minutes, f.seconds, offset < 0 ? '-' : '+', size / 60,
               size % 60)
        + zoneName(time) + ")";
}

}
