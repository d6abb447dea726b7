#include "lab/file/lab_reader.h"
