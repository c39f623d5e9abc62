int limit(void) { return 2; }
int bound = 20;
