//! Where inputs come from.

use crate::ssa::{Function, HavocSource, Object, Type, Value};
use grammars::source::Span;
use terms::{BitVector, Random, Value as TermValue};

/// A nondeterministic choice, in the order of execution.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// The result of a `Havoc`, or the result of a call to a function without a body (only where
    /// the call's result is used).
    Value(TermValue),
    /// The contents of an object after a `Forget` or an `Allocate` with unknown contents: offset
    /// and byte; the others are 0.
    Contents(Vec<(u64, u8)>),
    /// Where an object lies: at the first `AddressOf` (or `Forget`, before its contents) of an
    /// automatic object in an activation, and at every `Allocate`.
    Address(u64),
}

/// The place in a program that requests an [`Input`]. A run requests it again in each
/// iteration and activation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum InputSite {
    /// The instruction of the function that defines the value: a `Havoc` or the call of a function
    /// without a body.
    Value(Function, Value),
    /// Where an automatic object gets its address.
    Address(Object),
    /// Where an object is forgotten.
    Contents(Object),
    /// The `Allocate` of the function with this result: the address.
    Block(Function, Value),
    /// The `Allocate` of the function with this result: the contents.
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
    /// Why.
    pub source: &'a HavocSource,
    /// Where.
    pub span: Span,
}

/// A request about an object.
#[derive(Clone, Copy, Debug)]
pub struct ObjectRequest {
    /// The running function.
    pub function: Function,
    /// The object of the program; `None` for one on the heap.
    pub object: Option<Object>,
    /// For an object on the heap, the value that holds its address.
    pub result: Option<Value>,
    /// Bytes.
    pub size: u64,
    /// The alignment that the address needs.
    pub align: u64,
    /// Where.
    pub span: Span,
}

impl ValueRequest<'_> {
    /// The place that asks.
    pub fn site(&self) -> InputSite {
        InputSite::Value(self.function, self.value)
    }
}

impl ObjectRequest {
    /// The place that asks for an address; `None` for a block whose address is not even named.
    pub fn address_site(&self) -> Option<InputSite> {
        match (self.object, self.result) {
            (Some(object), _) => Some(InputSite::Address(object)),
            (None, result) => result.map(|result| InputSite::Block(self.function, result)),
        }
    }

    /// The place that asks for contents; `None` for a block whose address is not even named.
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
    /// The arguments, also variadic ones.
    pub arguments: &'a [TermValue],
    /// Where.
    pub span: Span,
}

/// An answer of an oracle.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer<T> {
    /// This one.
    Is(T),
    /// The interpreter may choose: zero, no bytes, the next free address.
    Any,
    /// The run cannot go on.
    Exhausted,
    /// What there is does not fit the request.
    Mismatch,
}

/// Supplies the nondeterministic choices of a run.
pub trait Oracle {
    /// A value of the type in the request.
    fn value(&mut self, request: &ValueRequest<'_>) -> Answer<TermValue>;
    /// The bytes of an object by offset; the others are 0.
    fn contents(&mut self, request: &ObjectRequest) -> Answer<Vec<(u64, u8)>>;
    /// The address of a new object. The interpreter checks that it is free and aligned.
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
    /// The inputs in order of execution.
    pub fn new(inputs: Vec<Input>) -> Self {
        Replay { inputs, next: 0 }
    }

    /// How many inputs were used.
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

/// Leaves every choice to the interpreter: all inputs are zero.
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

/// Makes inputs up: for fuzzing. Small numbers and the borders of the type are likely. The same
/// seed gives the same run.
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
