int value = 1;
extern int other_name __attribute__((alias("value")));
int first(int x) { return x + value; }
int second(int x) __attribute__((alias("first")));
