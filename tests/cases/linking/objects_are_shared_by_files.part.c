int table[4];
int limit = 4;
int common;
void fill(int value) {
  for (int i = 0; i < 4; i++) table[i] = value;
  common = value;
}
