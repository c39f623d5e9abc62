// verdict: FALSE(unreach-call)
extern void reach_error(void);
int main(void) {
    int seen = 0;
    for (int i = 0; i < 2; i++) { int x; if (x == i) seen++; }
    if (seen == 2) reach_error();
}
