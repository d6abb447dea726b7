#include "lab/plan/layout_plan.h"
