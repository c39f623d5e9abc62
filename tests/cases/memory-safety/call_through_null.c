// verdict: FALSE(valid-deref)
// property: valid-memsafety
typedef void function(void);
function *pointer;
int main(void) {
  pointer();
  return 0;
}
