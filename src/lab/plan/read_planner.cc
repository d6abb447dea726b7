#include "lab/plan/planner.h"
