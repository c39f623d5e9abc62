// verdict: TRUE
void reach_error(void);
int main(void) <%
  int a<:2:> = <% 1, 2 %>;
  if (a<:1:> != 2)
    reach_error();
%>
