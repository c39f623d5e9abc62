// verdict: TRUE
// property: valid-memsafety
struct record { int values[300]; int *last; };
void use(struct record *record) {
  record->values[record->values[7]] = 1;
  record->last = &record->values[7];
  record->values[7] = 300;
}
int main(void) {
  for (int i = 0; i < 2; i++) {
    struct record record = {0};
    use(&record);
  }
  return 0;
}
