// verdict: TRUE
// property: valid-memsafety
int main(int argc, char **argv) { return argc > 1 && argv[1] != 0 && argv[1][0] == 'x'; }
