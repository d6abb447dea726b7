#include "lab/report/lab_report.h"
