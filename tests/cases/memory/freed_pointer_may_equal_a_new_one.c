// verdict: FALSE(unreach-call)
// only: QF_ABVFP,QF_UFBVFP
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void free(void *);
int main(void) {
    char *p = malloc(1);
    free(p);
    char *q = malloc(1);
    if (p == q) reach_error();
}
