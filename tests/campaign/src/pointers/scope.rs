//! The generator's knowledge of the variables in scope.

/// A variable of the generated program.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) kind: Kind,
}

/// The kind of a variable.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Kind {
    /// A number of this type.
    Number(&'static str),
    /// A number that is never assigned: the counter of a loop, from 0 up to the given bound
    /// (excluded).
    Counter(usize),
    /// `double`.
    Float,
    /// An array of numbers.
    Array { ty: &'static str, length: usize },
    /// A matrix of `int`.
    Matrix { rows: usize, columns: usize },
    /// A pointer to numbers.
    Pointer { ty: &'static str, length: usize, state: State, is_owner: bool },
    /// A structure or union.
    Record(usize),
    /// An array of structures.
    Records { record: usize, length: usize },
    /// A pointer to a structure.
    RecordPointer { record: usize, state: State, is_owner: bool },
    /// An array of `char` that holds a string.
    Text { size: usize, length: usize },
}

/// The state of a pointer, as far as the generator knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum State {
    /// It points to a live object of the known length.
    Good,
    /// It points to a live object of the known length, or is null.
    MaybeNull,
    /// It may be dangling.
    Bad,
}

/// The variables in scope, innermost last.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    variables: Vec<Variable>,
    marks: Vec<usize>,
}

impl Scope {
    pub(super) fn enter(&mut self) {
        self.marks.push(self.variables.len());
    }

    pub(super) fn leave(&mut self) {
        let mark = self.marks.pop().expect("a scope is entered before it is left");
        self.variables.truncate(mark);
    }

    pub(super) fn add(&mut self, name: String, kind: Kind) {
        self.variables.push(Variable { name, kind });
    }

    /// The variables that `select` keeps.
    pub(super) fn matching(&self, select: impl Fn(&Kind) -> bool) -> Vec<Variable> {
        self.variables.iter().filter(|variable| select(&variable.kind)).cloned().collect()
    }

    /// Pointers that own a live heap block, in the current function.
    pub(super) fn owned(&self) -> Vec<Variable> {
        self.matching(|kind| {
            matches!(
                kind,
                Kind::Pointer { is_owner: true, state: State::Good | State::MaybeNull, .. }
                    | Kind::RecordPointer { is_owner: true, state: State::Good | State::MaybeNull, .. }
            )
        })
    }

    /// Records the state of a pointer from now on.
    pub(super) fn set_state(&mut self, name: &str, new: State) {
        for variable in self.variables.iter_mut().filter(|variable| variable.name == name) {
            match &mut variable.kind {
                Kind::Pointer { state, .. } | Kind::RecordPointer { state, .. } => *state = new,
                _ => {}
            }
        }
    }

    /// Records a lower bound on the number of elements to which a pointer points from now on.
    pub(super) fn set_length(&mut self, name: &str, new: usize) {
        for variable in self.variables.iter_mut().filter(|variable| variable.name == name) {
            if let Kind::Pointer { length, .. } = &mut variable.kind {
                *length = new;
            }
        }
    }

    /// The scope restricted to file scope.
    pub(super) fn globals(&self) -> Scope {
        let variables = self.variables.iter().filter(|variable| variable.name.starts_with('@'));
        Scope { variables: variables.cloned().collect(), marks: Vec::new() }
    }
}
