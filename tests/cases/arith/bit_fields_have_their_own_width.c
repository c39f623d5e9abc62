// verdict: TRUE
extern void reach_error(void);
struct bits { unsigned narrow : 5; unsigned long long wide : 40; long long negative : 33; } s;
int main(void) {
    int c = 0;
    if (!((s.narrow = 1) - 2 < 0) || !(s.narrow++ - 9 < 0) || !((s.narrow += 1) - 9 < 0)) reach_error();
    if (!((c, s.narrow) - 9 < 0) || !((c ? s.narrow : s.narrow) - 9 < 0)) reach_error();
    s.wide = -1;
    if (s.wide + 1 != 0 || ~s.wide != 0 || -s.wide != 1 || s.wide << 1 != 0xfffffffffeULL) reach_error();
    if ((s.wide = 5) - 6 != 0xffffffffffULL || !(-1 >= s.wide)) reach_error();
    s.negative = -1;
    if (s.negative - 1 >= 0u) reach_error();
    return 0;
}
