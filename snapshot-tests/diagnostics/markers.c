# 1 "src/input.c"
# 10 "src/header.h" 1
static int helper(void) { return undefined_name; }
# 2 "src/input.c" 2
int main(void) { return helper() + 08; }
