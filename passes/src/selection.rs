//! Passes chosen by name.

/// The error for an unknown pass name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown pass `{name}`; the passes are {}", known.join(", "))]
pub struct UnknownPass {
    /// The name.
    pub name: String,
    /// The names of all passes.
    pub known: Vec<&'static str>,
}

/// The rows of `table` with these names, in order: `default` denotes the rows of `standard`, `none`
/// denotes no rows, and `-name` removes a row from those before it.
pub(crate) fn select<'a, P>(
    names: impl IntoIterator<Item = &'a str>,
    table: &'static [P],
    name_of: fn(&P) -> &'static str,
    standard: &[&'static P],
) -> Result<Vec<&'static P>, UnknownPass> {
    let find = |name: &str| {
        let unknown = || UnknownPass { name: name.to_owned(), known: table.iter().map(name_of).collect() };
        table.iter().find(|pass| name_of(pass) == name).ok_or_else(unknown)
    };
    let mut passes: Vec<&'static P> = Vec::new();
    for name in names {
        match (name, name.strip_prefix('-')) {
            ("none", _) => {}
            ("default", _) => passes.extend(standard),
            (_, Some(name)) => {
                let removed = name_of(find(name)?);
                passes.retain(|pass| name_of(pass) != removed);
            }
            (name, None) => passes.push(find(name)?),
        }
    }
    Ok(passes)
}
