#include "lab/run/explanation.h"
