#include "lab/plan/call_shape.h"
