#include "lab/run/lab_run.h"
