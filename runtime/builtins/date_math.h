// Time values (ECMA-262 21.4.1): milliseconds since 1970 as a double, days, fields, the zone of the machine.
#pragma once
#include "runtime/core/string.h"
#include <cmath>
#include <string>
#include <string_view>

namespace scr {

constexpr double MsPerDay = 86400000, MsPerHour = 3600000, MsPerMinute = 60000, MsPerSecond = 1000;
constexpr double LargestTime = 8.64e15;

/// A time taken apart. Months and weekdays count from 0.
struct TimeFields {
    double year;
    int month, day, hours, minutes, seconds, milliseconds, weekday;
};
/// Of a finite time value.
TimeFields fieldsOf(double time);

/// 21.4.1.27 to 21.4.1.31. NaN in, NaN out.
double makeTime(double hours, double minutes, double seconds, double milliseconds);
double makeDay(double year, double month, double day);
double makeDate(double day, double time);
double timeClip(double time);
/// 21.4.1.30 MakeFullYear: two digits are of the twentieth century.
double makeFullYear(double year);

double localFromUtc(double time);
/// 21.4.1.26 UTC ( t ): a time skipped by a change of the clocks is read with the offset before it, a repeated one as
/// the earlier.
double utcFromLocal(double time);
/// Minutes east of Greenwich.
int zoneOffset(double time);
/// "Coordinated Universal Time" and the like; the zone's abbreviation where that tells too little.
std::string zoneName(double time);

/// Flat text to a time value, NaN if it is no date: the format of 21.4.1.32, else what V8 makes of looser text.
double parseDate(const String* flat);

std::string isoText(double time); ///< 2020-02-03T04:05:06.789Z
std::string utcText(double time); ///< Mon, 03 Feb 2020 04:05:06 GMT
std::string dateText(double local); ///< Mon Feb 03 2020
std::string timeText(double local, double time); ///< 04:05:06 GMT+0100 (CET)

extern const char* const weekdayNames[7];
extern const char* const monthNames[12];

}
