// verdict: FALSE(unreach-call)
// only: QF_ABVFP,QF_UFBVFP
extern void reach_error(void);
char c;
int main(void) {
    if ((unsigned long)&c % 8 == 3 && (unsigned)(unsigned long)&c == 0xfb) reach_error();
}
