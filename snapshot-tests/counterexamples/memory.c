/* --property valid-memsafety
   The access, the object, the offset and the allocation. */
extern void *malloc(unsigned long);
extern void free(void *);

struct node {
    struct node *next;
    int value;
};

int main(void) {
    struct node *first = malloc(sizeof(struct node));
    first->value = 7;
    first->next = malloc(4 * sizeof(int));
    int *numbers = (int *)first->next;
    for (int i = 0; i <= 4; i++)
        numbers[i] = i;
    free(numbers);
    free(first);
    return 0;
}
