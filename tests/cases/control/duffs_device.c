// verdict: TRUE
extern void reach_error(void);
int main(void) {
    int count = 7, done = 0, n = (count + 3) / 4;
    switch (count % 4) {
    case 0: do { done++;
    case 3:      done++;
    case 2:      done++;
    case 1:      done++;
            } while (--n > 0);
    }
    if (done != 7) reach_error();
}
