static int count = 100;
static int next(void) { return ++count; }
int other(void) { return next(); }
