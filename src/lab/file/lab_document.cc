#include "lab/file/lab_document.h"
