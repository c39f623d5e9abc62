// verdict: FALSE(unreach-call)
// options: --function entry
void reach_error(void);
extern _Bool ext(void), g;
struct pair { int x; _Bool y; };
int entry(_Bool b, struct pair p) {
    if (b && !p.y && ext() && !g) reach_error();
    return 0;
}
