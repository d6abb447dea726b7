#include "lab/data/population.h"
