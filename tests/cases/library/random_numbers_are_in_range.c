// verdict: TRUE
extern void reach_error(void);
int rand(void);
void srand(unsigned);
int main(void) {
  srand(1);
  if (rand() < 0) reach_error();
}
