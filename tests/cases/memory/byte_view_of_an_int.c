// verdict: TRUE
// only: QF_ABVFP,QF_UFBVFP
extern void reach_error(void);
int main(void) {
    int x = 0x01020304;
    unsigned char *p = (unsigned char *)&x;
    if (p[0] != 4 || p[3] != 1) reach_error();
    p[0] = 9;
    if (x != 0x01020309) reach_error();
}
