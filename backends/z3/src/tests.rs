use backends::conformance;
#[test]
fn conforms() {
    let failures = conformance::run(&crate::factory());
    assert!(failures.is_empty(), "{failures:#?}");
}
