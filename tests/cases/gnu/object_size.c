// verdict: TRUE
void reach_error(void);
struct pair { char a[4], b[8]; } pair, *unknown = &pair;
int main(void) {
  char buffer[8];
  if (__builtin_object_size(buffer + 3, 0) != 5 || __builtin_object_size(buffer, 1) != 8)
    reach_error();
  if (__builtin_object_size(&pair.a[1], 0) != 11 || __builtin_object_size(&pair.a[1], 1) != 3)
    reach_error();
  if (__builtin_object_size(unknown, 0) != (unsigned long)-1 || __builtin_object_size(unknown, 2) != 0)
    reach_error();
}
