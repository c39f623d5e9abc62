// Copying, filling and comparing blocks of constant size: structures, arrays, unions, parts, bytes; padding, overlap, bit-fields.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct padded { char a; int b; char c; long d; short e; };
struct inner { short x[3]; struct padded p; };
struct bits { unsigned a : 3, b : 7; int c : 20; char d; };
union either { long number; struct padded p; char bytes[40]; };
struct flexible { int count; int items[]; };
struct linked { struct linked *next; int value; };

#define SHOW(n) printf("%ld\n", (long)(n))

static long hash(const void *at, size_t n) {
  unsigned long h = 5381;
  for (size_t i = 0; i < n; i++) h = h * 33 + ((const unsigned char *)at)[i];
  return (long)(h & 0x7fffffff);
}

static long sign(long n) { return n > 0 ? 1 : n < 0 ? -1 : 0; }

int main(void) {
  struct padded a, b, many[3];
  memset(&a, 0x5a, sizeof a);
  SHOW(hash(&a, sizeof a));
  a.a = 1, a.b = -2, a.c = 3, a.d = 1L << 40, a.e = -5;
  memcpy(&b, &a, sizeof a);
  SHOW(hash(&b, sizeof b));
  SHOW(memcmp(&a, &b, sizeof a));
  b.b++;
  SHOW(sign(memcmp(&a, &b, sizeof a)));
  SHOW(sign(memcmp(&b, &a, 4)));
  for (int i = 0; i < 3; i++) many[i] = i == 1 ? a : b, many[i].b = i;
  memmove(&many[1], &many[0], 2 * sizeof *many);
  for (int i = 0; i < 3; i++) SHOW(many[i].b * 100 + many[i].e);
  memmove(&many[0], &many[1], 2 * sizeof *many);
  for (int i = 0; i < 3; i++) SHOW(many[i].b * 100 + many[i].e);
  memcpy(&a, &many[0], 9);
  SHOW(a.b * 10 + a.c);
  unsigned char bytes[sizeof a + 3];
  memset(bytes, 1, sizeof bytes);
  memcpy(bytes + 3, &a, sizeof a);
  SHOW(bytes[3] + bytes[7] * 3 + bytes[11] * 5);
  struct padded from_bytes;
  memcpy(&from_bytes, bytes + 3, sizeof from_bytes);
  SHOW(from_bytes.b + from_bytes.d % 1000 + from_bytes.e);

  struct inner in, out;
  bzero(&in, sizeof in);
  in.x[1] = 7, in.p.d = 9;
  SHOW(mempcpy(&out, &in, sizeof in) == (void *)(&out + 1));
  SHOW(hash(&out, sizeof out));
  struct bits bits = {5, 99, -1000, 'q'}, same;
  memcpy(&same, &bits, sizeof bits);
  SHOW(same.a + same.b * 10 + same.c * 1000 + same.d);
  memset(&same, 0xff, sizeof same);
  SHOW(same.a + same.b * 10 + same.c * 1000 + same.d);
  union either u, v;
  memset(&u, 0, sizeof u);
  u.p.e = 12;
  memcpy(&v, &u, sizeof u);
  SHOW(v.p.e + hash(v.bytes, sizeof v));

  float f = 1.5f;
  unsigned pattern;
  memcpy(&pattern, &f, sizeof f);
  SHOW(pattern);
  double d;
  long l = 0x4000000000000000;
  memcpy(&d, &l, sizeof d);
  SHOW(d == 2.0);

  int numbers[10], half[5];
  for (int i = 0; i < 10; i++) numbers[i] = i * i;
  memcpy(half, numbers + 4, sizeof half);
  for (int i = 0; i < 5; i++) SHOW(half[i]);
  memmove(numbers + 1, numbers, 9 * sizeof *numbers);
  for (int i = 0; i < 10; i++) SHOW(numbers[i]);
  memset(numbers, -1, sizeof numbers);
  SHOW(numbers[0] + numbers[9]);
  memset(numbers + 2, 0x1ff, 2 * sizeof *numbers);
  SHOW(numbers[2] + numbers[4]);
  int fill = numbers[0] & 0x33;
  memset(numbers, fill, sizeof numbers);
  SHOW(numbers[3]);

  struct flexible *flexible = malloc(sizeof *flexible + 4 * sizeof(int)), *copy = malloc(sizeof *flexible + 4 * sizeof(int));
  flexible->count = 4;
  for (int i = 0; i < 4; i++) flexible->items[i] = 10 * i;
  memcpy(copy, flexible, sizeof *flexible + 4 * sizeof(int));
  SHOW(copy->count + copy->items[3]);
  struct linked first = {0, 1}, second = {&first, 2}, third;
  memcpy(&third, &second, sizeof third);
  SHOW(third.next->value * 10 + third.value);
  memset(&third, 0, sizeof third);
  SHOW(third.next == 0);
  char text[16] = "................";
  memcpy(text, "literal", 8);
  SHOW(hash(text, 16));
  SHOW(memcmp(text, "literal", 8));
  SHOW(sign(memcmp("abd", "abc", 3)));
  bcopy(text, text + 2, 6);
  SHOW(hash(text, 16));
  __builtin___memcpy_chk(text, "x", 2, 16);
  SHOW(hash(text, 16));
  memcpy(text, text, 0);
  char big[3000], other[3000];
  memset(big, 'b', sizeof big);
  memcpy(other, big, sizeof big);
  SHOW(hash(other, sizeof other));
  long large[2000], target[2000];
  for (int i = 0; i < 2000; i++) large[i] = i;
  memcpy(target, large, sizeof large);
  SHOW(target[1999]);
}
