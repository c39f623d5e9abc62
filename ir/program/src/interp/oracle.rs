//! Oracles, which resolve the nondeterministic choices of a run.

use crate::ssa::{Function, HavocSource, Object, Type, Value};
use grammars::source::Span;
use terms::{BitVector, Random, Value as TermValue};

/// A nondeterministic choice. Inputs are ordered by execution.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// The result of a `Havoc`, or of a call to a function without a body if the call defines a
    /// value.
    Value(TermValue),
    /// The contents of an object after a `Forget` or an `Allocate` with unknown contents, as pairs
    /// of offset and byte. The other bytes are 0.
    Contents(Vec<(u64, u8)>),
    /// The address of an object. An automatic object requests it at the first `AddressOf` or
    /// `Forget` of an activation, a `Forget` before the contents; a heap object at its `Allocate`.
    Address(u64),
}

/// The site in a program that requests an [`Input`]. A run may visit a site many times: in several
/// activations and, inside a loop, in several iterations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum InputSite {
    /// The instruction that defines the value in the function: a `Havoc` or a call of a function
    /// without a body.
    Value(Function, Value),
    /// The address of an automatic object.
    Address(Object),
    /// The contents of an object after a `Forget`.
    Contents(Object),
    /// The address of a heap block: the `Allocate` that defines the value in the function.
    Block(Function, Value),
    /// The contents of a heap block: the `Allocate` that defines the value in the function.
    BlockContents(Function, Value),
}

/// A request for a value.
#[derive(Clone, Copy, Debug)]
pub struct ValueRequest<'a> {
    /// The running function.
    pub function: Function,
    /// The value that the answer defines.
    pub value: Value,
    /// The type of the value.
    pub ty: Type,
    /// The kind of nondeterminism.
    pub source: &'a HavocSource,
    /// The source position.
    pub span: Span,
}

/// A request for the address or the contents of an object.
#[derive(Clone, Copy, Debug)]
pub struct ObjectRequest {
    /// The running function.
    pub function: Function,
    /// The object of the program; `None` for a heap block.
    pub object: Option<Object>,
    /// For a heap block, the value that holds its address.
    pub result: Option<Value>,
    /// The size in bytes.
    pub size: u64,
    /// The required alignment of the address in bytes.
    pub align: u64,
    /// The source position.
    pub span: Span,
}

impl ValueRequest<'_> {
    /// Returns the site of the request.
    pub fn site(&self) -> InputSite {
        InputSite::Value(self.function, self.value)
    }
}

impl ObjectRequest {
    /// Returns the site of a request for an address; `None` for an allocation without a result.
    pub fn address_site(&self) -> Option<InputSite> {
        match (self.object, self.result) {
            (Some(object), _) => Some(InputSite::Address(object)),
            (None, result) => result.map(|result| InputSite::Block(self.function, result)),
        }
    }

    /// Returns the site of a request for contents; `None` for an allocation without a result.
    pub fn contents_site(&self) -> Option<InputSite> {
        match (self.object, self.result) {
            (Some(object), _) => Some(InputSite::Contents(object)),
            (None, result) => result.map(|result| InputSite::BlockContents(self.function, result)),
        }
    }
}

/// A call of a function without a body.
#[derive(Clone, Copy, Debug)]
pub struct ExternalCall<'a> {
    /// The called function.
    pub callee: Function,
    /// Its name.
    pub name: &'a str,
    /// The arguments, including variadic ones.
    pub arguments: &'a [TermValue],
    /// The source position.
    pub span: Span,
}

/// The answer of an oracle to a request.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer<T> {
    /// The chosen value.
    Is(T),
    /// The interpreter chooses: zero for values and contents, the next free address.
    Any,
    /// The oracle has no further inputs; the run ends.
    Exhausted,
    /// The next input does not fit the request; the run ends.
    Mismatch,
}

/// Resolves the nondeterministic choices of a run.
pub trait Oracle {
    /// Chooses a value of the requested type.
    fn value(&mut self, request: &ValueRequest<'_>) -> Answer<TermValue>;
    /// Chooses the contents of an object as pairs of offset and byte. The other bytes are 0.
    fn contents(&mut self, request: &ObjectRequest) -> Answer<Vec<(u64, u8)>>;
    /// Chooses the address of a new object. The interpreter checks that it is free and aligned.
    fn address(&mut self, request: &ObjectRequest) -> Answer<u64>;
    /// Observes a call of a function without a body, before its result is requested.
    fn external_call(&mut self, call: &ExternalCall<'_>) {
        let _ = call;
    }
}

/// Replays a list of inputs.
#[derive(Clone, Debug)]
pub struct Replay {
    inputs: Vec<Input>,
    next: usize,
}

impl Replay {
    /// Creates an oracle that replays `inputs`, which are in execution order.
    pub fn new(inputs: Vec<Input>) -> Self {
        Replay { inputs, next: 0 }
    }

    /// Returns the number of consumed inputs.
    pub fn used(&self) -> usize {
        self.next
    }

    fn take<T>(&mut self, read: impl FnOnce(&Input) -> Option<T>) -> Answer<T> {
        let Some(input) = self.inputs.get(self.next) else { return Answer::Exhausted };
        self.next += 1;
        read(input).map_or(Answer::Mismatch, Answer::Is)
    }
}

impl Oracle for Replay {
    fn value(&mut self, _: &ValueRequest<'_>) -> Answer<TermValue> {
        self.take(|input| match input {
            Input::Value(value) => Some(value.clone()),
            _ => None,
        })
    }

    fn contents(&mut self, _: &ObjectRequest) -> Answer<Vec<(u64, u8)>> {
        self.take(|input| match input {
            Input::Contents(bytes) => Some(bytes.clone()),
            _ => None,
        })
    }

    fn address(&mut self, _: &ObjectRequest) -> Answer<u64> {
        self.take(|input| match input {
            Input::Address(address) => Some(*address),
            _ => None,
        })
    }
}

/// The oracle that leaves every choice to the interpreter: values and contents are zero.
#[derive(Clone, Copy, Debug, Default)]
pub struct Zeros;

impl Oracle for Zeros {
    fn value(&mut self, _: &ValueRequest<'_>) -> Answer<TermValue> {
        Answer::Any
    }
    fn contents(&mut self, _: &ObjectRequest) -> Answer<Vec<(u64, u8)>> {
        Answer::Any
    }
    fn address(&mut self, _: &ObjectRequest) -> Answer<u64> {
        Answer::Any
    }
}

/// Chooses random inputs, for fuzzing. Small numbers and the limits of the type are likely. Equal
/// seeds give equal runs.
impl Oracle for Random {
    fn value(&mut self, request: &ValueRequest<'_>) -> Answer<TermValue> {
        let (kind, number) = (self.number() % 8, self.number());
        let width = request.ty.width();
        if width == 0 {
            return Answer::Is(TermValue::Bool(number % 2 == 1));
        }
        Answer::Is(TermValue::BitVec(match kind {
            0..=2 => BitVector::new(width, number % 8),
            3 => BitVector::new(width, number % 8).neg(),
            4 if width > 1 => BitVector::new(1, 1).concat(&BitVector::new(width - 1, number % 2)),
            5 => BitVector::new(width, number % 256),
            _ => {
                let mut value = BitVector::new(width.min(64), number);
                while value.width() < width {
                    let more = (width - value.width()).min(64);
                    value = value.concat(&BitVector::new(more, self.number()));
                }
                value
            }
        }))
    }

    fn contents(&mut self, request: &ObjectRequest) -> Answer<Vec<(u64, u8)>> {
        let size = request.size.min(64);
        Answer::Is((0..size).map(|offset| (offset, self.number() as u8)).collect())
    }

    fn address(&mut self, _: &ObjectRequest) -> Answer<u64> {
        Answer::Any
    }
}
