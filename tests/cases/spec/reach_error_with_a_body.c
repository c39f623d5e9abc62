// verdict: FALSE(unreach-call)
// options: --property unreach-call
void reach_error(void) {}
int main(void) { reach_error(); }
