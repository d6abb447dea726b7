// The functions of <cmath> whose last digits differ between C libraries, and between processors
// with and without fused multiplication: written with nothing but the operations that IEEE 754
// defines to the last bit. So a lab gives the same bytes on every machine. std::sqrt, std::ldexp,
// std::fmod and the roundings are defined to the last bit themselves.
//
// Of what they take and return at the edges (infinities, no numbers, poles), the functions do as
// those of <cmath>. Pure functions.
//
// The sums must be compiled as written: no -ffast-math, and on processors with fused multiplication
// -ffp-contract=off.
#pragma once

namespace hashrange {

// These are off by 0.51 units in the last place at most, so powers of ten and of two are exact.
double PortableExp(double x);
double PortableLog(double x);
double PortableLog2(double x);
double PortableLog10(double x);
double PortablePow(double x, double y);

// These are off by 1.5 units in the last place at most.
double PortableExpm1(double x);
double PortableLog1p(double x);
// Of turns that are no more than some millions.
double PortableCos(double x);

// The complement of the error function: off by 1e-14 of its value.
double PortableErfc(double x);

}  // namespace hashrange
