// verdict: TRUE
extern void reach_error(void);
int main(void) {
    int r;
    if (!__builtin_add_overflow(2147483647, 1, &r) || r != -2147483647 - 1) reach_error();
    if (__builtin_sub_overflow(5, 7, &r) || r != -2) reach_error();
    unsigned char c;
    if (!__builtin_mul_overflow(16, 16, &c) || c != 0) reach_error();
}
