int replaced(void) { return 2; }
int target(void) { return 9; }
#pragma weak undeclared_alias = target
