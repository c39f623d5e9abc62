// verdict: UNKNOWN
extern void reach_error(void);
int x;
int main(void) {
    int *p = &x;
    if (*((unsigned char *)&p + 7) == 1) reach_error();
}
