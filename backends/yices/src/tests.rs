#[test]
fn yices_conforms() {
    assert_eq!(backends::conformance::run(&super::factory()), Vec::<String>::new());
}
