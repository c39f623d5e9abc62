// verdict: FALSE(unreach-call)
// only: QF_ABVFP,QF_UFBVFP
extern void reach_error(void);
int keys[2], other;
unsigned hash(void *p) { return ((unsigned long)p >> 4) % 16; }
int main(void) {
    if (hash(&keys[0]) == hash(&other)) reach_error();
}
