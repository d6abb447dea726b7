#include "lab/data/picker.h"
