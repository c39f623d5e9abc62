// verdict: TRUE
extern void reach_error(void);
int main(void) {
    for (;;) {
        int count = 0;
        do count++; while (({ if (count == 3) break; 1; }));
        reach_error();
    }
    return 0;
}
