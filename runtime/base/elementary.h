// Elementary functions whose last digit is that of fdlibm (Sun Microsystems, 1993), which V8 and so Node use: the C
// library's differ from it in one result of twenty. log2 and angles beyond 2^19 are left to the C library.
#pragma once

namespace scr::elementary {

double sin(double x);
double cos(double x);
double tan(double x);
double asin(double x);
double acos(double x);
double atan(double x);
double atan2(double y, double x);
double exp(double x);
double expm1(double x);
double log(double x);
double log1p(double x);
double log10(double x);
double sinh(double x);
double cosh(double x);
double tanh(double x);
double asinh(double x);
double acosh(double x);
double atanh(double x);
double cbrt(double x);

}
