use super::super::testing::{assert_text, transformed};
use super::*;

/// The entry function: it does something, then the error is reached where the condition holds.
fn failing_if(condition: &str, instructions: &str) -> String {
    format!(
        r#"function f0 "__start" () {{
             block b0:
               {instructions}
               branch {condition} then b1 else b2
             block b1:
               error p0
             block b2:
               return
           }}"#
    )
}

#[test]
fn a_loop_that_decides_nothing_goes_with_its_inputs() {
    let text = transformed(
        r#"function f0 "__start" () {
             block b0:
               v0: i32 = havoc input "n"
               goto b1(#x00000000, #x00000000)
             block b1(v1: i32, v2: i32):
               branch (bvslt v1 v0) then b2 else b3
             block b2:
               v3: i32 = havoc input "m"
               goto b1((bvadd v1 #x00000001), (bvadd v2 v3))
             block b3:
               v4: i32 = havoc input "k"
               store r1 i32 v2
               branch (= v4 #x00000000) then b4 else b5
             block b4:
               error p0
             block b5:
               v5: i32 = load r1
               branch (= v5 #x00000000) then b6 else b7
             block b6:
               return
             block b7:
               stop exit
           }"#,
        slice,
    );
    assert_text(
        &text,
        r#"function f0 "__start" () {
             block b0:
               v0: i32 = havoc input "k"
               branch (= v0 #x00000000) then b1 else b2
             block b1:
               error p0
             block b2:
               stop exit
           }"#,
    );
}

#[test]
fn assumptions_before_an_error_stay_and_those_after_it_go() {
    let assume = |store: &str| {
        format!(
            r#"function f1 "assume" (i32, i32) {{
                 block b0(v0: i32, v1: i32):
                   {store}
                   branch (= v0 #x00000000) then b1 else b2
                 block b1:
                   stop assume
                 block b2:
                   return
               }}"#
        )
    };
    let text = transformed(
        &format!(
            r#"function f0 "__start" () {{
                 block b0:
                   v0: i32 = havoc input "n"
                   call f1(v0, #x00000001)
                   v1: i32 = havoc input "m"
                   branch (= v0 v1) then b1 else b2
                 block b1:
                   error p0
                 block b2:
                   v2: i32 = havoc input "k"
                   call f1(v2, #x00000002)
                   return
               }}
               {}"#,
            assume("store r1 i32 v1")
        ),
        slice,
    );
    let start = failing_if(
        "(= v0 v1)",
        r#"v0: i32 = havoc input "n"
           call f1(v0, #x00000000)
           v1: i32 = havoc input "m""#,
    );
    assert_text(&text, &format!("{start}\n{}", assume("")));
}

#[test]
fn an_endless_loop_is_an_assumption() {
    let text = r#"function f0 "__start" () {
             block b0:
               v0: i32 = havoc input "n"
               branch (= v0 #x00000000) then b1 else b2
             block b1:
               goto b1
             block b2:
               branch (= v0 #x00000001) then b3 else b4
             block b3:
               error p0
             block b4:
               return
           }"#;
    assert_text(&transformed(text, slice), text);
}

#[test]
fn memory_that_an_error_depends_on_stays() {
    let start = failing_if(
        "(= v2 #x00000000)",
        r#"v0: ptr = address-of o0
           v1: i32 = havoc input "n"
           store r2 [(bvadd v0 #x00000004)] i32 v1
           store r1 i32 v1
           call f1()
           v2: i32 = load r2 [(bvadd v0 #x00000008)]"#,
    );
    let text = format!(
        r#"{start}
           function f1 "set" () {{
             block b0:
               v0: ptr = address-of o0
               v1: i32 = load r1
               store r2 [(bvadd v0 #x00000008)] i32 v1
               return
           }}"#
    );
    assert_text(&transformed(&text, slice), &text);
}

#[test]
fn a_store_that_may_leave_its_object_stays_without_its_value() {
    let storing = |before: &str, value: &str, after: &str| {
        format!(
            r#"function f0 "__start" () {{
                 block b0:
                   v0: ptr = address-of o0
                   v1: i32 = havoc input "n"
                   {before}
                   store r2 [(bvadd v0 v1)] i32 {value}
                   {after}
                   branch (= v1 #x00000000) then b1 else b2
                 block b1:
                   unsupported u0
                 block b2:
                   return
               }}"#
        )
    };
    let text = storing(r#"v2: i32 = havoc input "m""#, "v2", "store r2 [v0] i32 v2");
    assert_text(&transformed(&text, slice), &storing("", "#x00000000", ""));
}

#[test]
fn a_function_that_is_called_for_its_result_only_stays_where_the_result_is_needed() {
    let start = failing_if(
        "(= v1 #x00000000)",
        r#"v0: i32 = havoc input "n"
           v1: i32 = call f1(v0)
           v2: i32 = call f1(#x00000005)
           store r1 i32 v2"#,
    );
    let text = transformed(
        &format!(
            r#"{start}
               function f1 "absolute" (i32) -> i32 {{
                 block b0(v0: i32):
                   branch (bvslt v0 #x00000000) then b1 else b2
                 block b1:
                   return (bvneg v0)
                 block b2:
                   return v0
               }}"#
        ),
        slice,
    );
    assert!(text.contains("call f1(v0)") && !text.contains("#x00000005"), "{text}");
}
