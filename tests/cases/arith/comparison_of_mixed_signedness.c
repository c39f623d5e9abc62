// verdict: FALSE(unreach-call)
extern void reach_error(void);
int main(void) {
    int a = -1;
    unsigned b = 1;
    if (a > b) reach_error();
}
