#include "vendor/scripts/pnglibconf.h.prebuilt"
