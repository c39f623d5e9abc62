// verdict: TRUE
// only: QF_ABVFP,QF_UFBVFP
// decided-by: bmc
extern char __VERIFIER_nondet_char(void);
extern void reach_error(void);
int main(void) {
    char text[6];
    for (int i = 0; i < 5; i++) text[i] = __VERIFIER_nondet_char();
    text[5] = 0;
    const char *next = text;
    int is_negative = 0, value = 0;
    while (*next == ' ') next++;
    if (*next == '-') next++, is_negative = 1;
    for (; *next >= '0' && *next <= '9'; next++) value = value * 10 + (*next - '0');
    if (is_negative) value = -value;
    if (value < -9999 || value > 99999) reach_error();
}
