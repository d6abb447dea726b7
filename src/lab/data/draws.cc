#include "lab/data/draws.h"
