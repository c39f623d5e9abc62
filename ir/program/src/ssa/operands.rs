//! The terms in instructions, edges and terminators.

use super::{Callee, Edge, InstructionKind, Part, Region, Terminator, Type};
use terms::Term;

impl InstructionKind {
    /// Calls `visit` with every term of the instruction, in the order of the text form.
    pub fn for_each_term(&self, mut visit: impl FnMut(Term)) {
        match self {
            InstructionKind::Pure(term) => visit(*term),
            InstructionKind::Havoc(_)
            | InstructionKind::AddressOf(_)
            | InstructionKind::FunctionAddress(_)
            | InstructionKind::Forget { .. } => {}
            InstructionKind::Load { region: _, address } => {
                if let Some(address) = address {
                    visit(*address);
                }
            }
            InstructionKind::Store { region: _, address, value, ty: _, place: _ } => {
                if let Some(address) = address {
                    visit(*address);
                }
                visit(*value);
            }
            InstructionKind::Allocate { parts: _, size, align: _, contents: _ } => visit(*size),
            InstructionKind::Call { callee, arguments } => {
                if let Callee::Indirect { address, .. } = callee {
                    visit(*address);
                }
                arguments.iter().copied().for_each(visit);
            }
        }
    }

    /// Replaces every term of the instruction by its image under `map`.
    pub fn map_terms(&mut self, mut map: impl FnMut(Term) -> Term) {
        match self {
            InstructionKind::Pure(term) => *term = map(*term),
            InstructionKind::Havoc(_)
            | InstructionKind::AddressOf(_)
            | InstructionKind::FunctionAddress(_)
            | InstructionKind::Forget { .. } => {}
            InstructionKind::Load { region: _, address } => {
                if let Some(address) = address {
                    *address = map(*address);
                }
            }
            InstructionKind::Store { region: _, address, value, ty: _, place: _ } => {
                if let Some(address) = address {
                    *address = map(*address);
                }
                *value = map(*value);
            }
            InstructionKind::Allocate { parts: _, size, align: _, contents: _ } => *size = map(*size),
            InstructionKind::Call { callee, arguments } => {
                if let Callee::Indirect { address, .. } = callee {
                    *address = map(*address);
                }
                for argument in arguments {
                    *argument = map(*argument);
                }
            }
        }
    }

    /// The region of a load, of a store, or of an object that is forgotten.
    pub fn region(&self) -> Option<Region> {
        match self {
            InstructionKind::Load { region, .. }
            | InstructionKind::Store { region, .. }
            | InstructionKind::Forget { region, .. } => Some(*region),
            _ => None,
        }
    }

    /// The regions that the instruction accesses directly; none for calls.
    pub fn regions(&self) -> impl Iterator<Item = Region> + '_ {
        let parts: &[Part] = match self {
            InstructionKind::Allocate { parts, .. } => parts,
            _ => &[],
        };
        self.region().into_iter().chain(parts.iter().map(|part| part.region))
    }
}

impl Edge {
    /// Creates an edge without arguments.
    pub fn to(target: super::Block) -> Self {
        Edge { target, arguments: Vec::new() }
    }
}

impl Terminator {
    /// Calls `visit` with the terms that the terminator itself evaluates: condition, scrutinee,
    /// returned value. Excludes edge arguments and the constants of switch cases.
    pub fn for_each_own_term(&self, mut visit: impl FnMut(Term)) {
        match self {
            Terminator::Branch { condition, .. } => visit(*condition),
            Terminator::Switch { scrutinee, .. } => visit(*scrutinee),
            Terminator::Return(Some(value)) => visit(*value),
            Terminator::Goto(_)
            | Terminator::Return(None)
            | Terminator::Error(_)
            | Terminator::Stop(_)
            | Terminator::Unsupported(_) => {}
        }
    }

    /// Calls `visit` with every term over values in the terminator: its own terms, then the edge
    /// arguments.
    pub fn for_each_term(&self, mut visit: impl FnMut(Term)) {
        self.for_each_own_term(&mut visit);
        for edge in self.edges() {
            edge.arguments.iter().copied().for_each(&mut visit);
        }
    }

    /// Replaces every term over values, see [`for_each_term`](Self::for_each_term), by its image
    /// under `map`.
    pub fn map_terms(&mut self, mut map: impl FnMut(Term) -> Term) {
        match self {
            Terminator::Branch { condition, .. } => *condition = map(*condition),
            Terminator::Switch { scrutinee, .. } => *scrutinee = map(*scrutinee),
            Terminator::Return(Some(value)) => *value = map(*value),
            Terminator::Goto(_)
            | Terminator::Return(None)
            | Terminator::Error(_)
            | Terminator::Stop(_)
            | Terminator::Unsupported(_) => {}
        }
        for edge in self.edges_mut() {
            for argument in &mut edge.arguments {
                *argument = map(*argument);
            }
        }
    }
}

impl super::RegionKind {
    /// The type of the cells of a scalar or `Cells` region.
    pub fn cell_type(self) -> Option<Type> {
        match self {
            super::RegionKind::Scalar(ty) | super::RegionKind::Cells(ty) => Some(ty),
            super::RegionKind::Bytes => None,
        }
    }
}
