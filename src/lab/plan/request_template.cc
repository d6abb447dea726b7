#include "lab/plan/request_template.h"
