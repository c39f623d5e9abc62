//! Declarations and the heap: blocks, lists, pointers to objects whose lifetime ends.

use super::Maker;
use super::expressions::size_of_type;
use super::scope::{Kind, State};
use super::types::FieldKind;

impl Maker {
    /// Declares a variable with its initial value.
    pub(super) fn declaration(&mut self) {
        let ty = self.integer_type();
        let name = self.fresh("v");
        match self.random.below(16) {
            0 | 1 => {
                let value = self.number(1);
                self.line(format!("{ty} {name} = {value};"));
                self.scope.add(name, Kind::Number(ty));
            }
            2 | 3 => {
                let length = self.random.between(1, 5) as usize;
                let value = self.simple();
                self.line(format!("{ty} {name}[{length}] = {{ {value} }};"));
                self.scope.add(name, Kind::Array { ty, length });
            }
            4 => {
                let (rows, columns) =
                    (self.random.between(1, 3) as usize, self.random.between(1, 3) as usize);
                self.line(format!("int {name}[{rows}][{columns}] = {{ {{ 2 }} }};"));
                self.scope.add(name, Kind::Matrix { rows, columns });
            }
            5 | 6 => self.pointer(&name, ty),
            7..=9 => self.block(&name, ty),
            10 => {
                let record = self.random.below(self.records.len());
                let tag = self.records[record].tag.clone();
                self.line(format!("{tag} {name} = {{ 0 }};"));
                self.scope.add(name, Kind::Record(record));
            }
            11 => {
                let record = self.random.below(self.records.len());
                let (tag, length) = (self.records[record].tag.clone(), self.random.between(1, 3) as usize);
                self.line(format!("{tag} {name}[{length}] = {{ {{ 0 }} }};"));
                self.scope.add(name, Kind::Records { record, length });
            }
            12 | 13 => self.record_block(&name),
            14 => {
                let value = self.small(1);
                self.line(format!("double {name} = {value} / 4.0;"));
                self.scope.add(name, Kind::Float);
            }
            _ => self.text(&name),
        }
    }

    /// A pointer to an existing object.
    fn pointer(&mut self, name: &str, ty: &'static str) {
        let length = self.random.between(1, 3) as usize;
        match self.pointer_to(ty, length) {
            Some(value) if self.random.percent(75) => {
                let value = match self.random.percent(25) {
                    true => {
                        let condition = self.condition(0);
                        format!("({condition}) ? {value} : 0")
                    }
                    false => value,
                };
                let state = match value.contains('?') {
                    true => State::MaybeNull,
                    false => State::Good,
                };
                self.line(format!("{ty} *{name} = {value};"));
                self.scope.add(name.to_owned(), Kind::Pointer { ty, length, state, is_owner: false });
            }
            _ => {
                self.line(format!("{ty} *{name} = 0;"));
                let state = State::MaybeNull;
                self.scope.add(name.to_owned(), Kind::Pointer { ty, length, state, is_owner: false });
            }
        }
    }

    /// A heap block of numbers.
    fn block(&mut self, name: &str, ty: &'static str) {
        let length = self.random.between(1, 5) as usize;
        let size = size_of_type(ty) * length;
        match self.random.below(6) {
            0 => self.line(format!("{ty} *{name} = calloc({length}, sizeof({ty}));")),
            1 => self.line(format!("{ty} *{name} = ({ty} *)memset(malloc({size}), 3, {size});")),
            2 => {
                let value = self.simple();
                self.line(format!(
                    "unsigned n_{name} = (unsigned)({value}) % 3 + {length}; {ty} *{name} = malloc(n_{name} * sizeof *{name});"
                ));
                self.line(format!("for (unsigned k = 0; k < n_{name}; k++) {name}[k] = k + 1;"));
                self.scope.add(format!("n_{name}"), Kind::Counter(length + 3));
            }
            3 => {
                self.line(format!("{ty} *{name} = 0;"));
                let condition = self.condition(1);
                self.line(format!("if ({condition}) {name} = calloc({length}, sizeof *{name});"));
                let state = State::MaybeNull;
                self.scope.add(name.to_owned(), Kind::Pointer { ty, length, state, is_owner: true });
                return;
            }
            _ => {
                let slack = usize::from(self.is_risky());
                self.line(format!("{ty} *{name} = malloc({size});"));
                self.line(format!("for (int k = 0; k < {}; k++) {name}[k] = k;", length + slack));
            }
        }
        self.scope.add(name.to_owned(), Kind::Pointer { ty, length, state: State::Good, is_owner: true });
    }

    /// A heap block that holds a record.
    fn record_block(&mut self, name: &str) {
        let record = self.random.below(self.records.len());
        let tag = self.records[record].tag.clone();
        let state = State::Good;
        match self.random.below(4) {
            0 if !self.is_risky() => {
                self.line(format!("{tag} *{name} = malloc(sizeof *{name});"));
                self.line(format!("*{name} = ({tag}){{ 0 }};"));
            }
            1 => {
                self.line(format!("{tag} *{name} = malloc(sizeof({tag}));"));
                self.line(format!("memset({name}, 0, sizeof *{name});"));
            }
            2 => {
                if let Some(value) = self.record_pointer(record) {
                    self.line(format!("{tag} *{name} = {value};"));
                    self.scope.add(name.to_owned(), Kind::RecordPointer { record, state, is_owner: false });
                    return;
                }
                self.line(format!("{tag} *{name} = calloc(1, sizeof *{name});"));
            }
            _ => self.line(format!("{tag} *{name} = calloc(1, sizeof *{name});")),
        }
        self.scope.add(name.to_owned(), Kind::RecordPointer { record, state, is_owner: true });
    }

    /// Frees a pointer that owns its block, and perhaps assigns another block.
    pub(super) fn release(&mut self) {
        let owned = self.scope.owned();
        let Some(variable) = self.random.pick(&owned).cloned() else { return self.declaration() };
        let name = variable.name;
        if self.is_risky() {
            match self.random.below(3) {
                0 => self.line(format!("free({name}); free({name});")),
                1 => self.line(format!("free((char *){name} + 1);")),
                _ => self.line(format!("free({name});")),
            }
            self.scope.set_state(&name, State::Bad);
            return;
        }
        // Inside of a loop or branch the pointer must keep the type and length that the rest
        // assumes.
        if let (Kind::Pointer { ty, length, .. }, true) = (&variable.kind, self.random.percent(40)) {
            self.line(format!("free({name});"));
            self.line(format!("{name} = calloc({length}, sizeof({ty}));"));
            return;
        }
        self.line(format!("free({name});"));
        self.line(format!("{name} = 0;"));
        self.scope.set_state(&name, State::MaybeNull);
    }

    /// A block that grows or shrinks.
    pub(super) fn resize(&mut self) {
        let owned = self
            .scope
            .matching(|kind| matches!(kind, Kind::Pointer { is_owner: true, state: State::Good, .. }));
        let Some(variable) = self.random.pick(&owned).cloned() else { return };
        let Kind::Pointer { ty, length, .. } = variable.kind else { return };
        let (name, copy) = (variable.name, self.fresh("q"));
        let new = self.random.between(1, 6) as usize;
        self.line(format!("{ty} *{copy} = realloc({name}, {new} * sizeof({ty}));"));
        if self.is_risky() {
            self.line(format!("acc += (int){name}[0] & 7;"));
        }
        self.line(format!("if ({copy} == 0) return 0;").replace("return 0", self.bare_return()));
        self.line(format!("{name} = {copy};"));
        if new > length {
            self.line(format!("for (int k = {length}; k < {new}; k++) {name}[k] = 1;"));
        }
        // If the branch is not taken, or in a second iteration, the block has another length.
        let shorter = new.min(length);
        if self.depth > 1 && new > length {
            return;
        }
        self.scope.set_length(&name, if self.depth > 1 { shorter } else { new });
    }

    fn bare_return(&self) -> &'static str {
        match self.returns {
            super::Returns::Record(_) => "return s",
            _ => "return 0",
        }
    }

    /// A linked list on the heap: built, walked and freed.
    pub(super) fn list(&mut self) {
        let candidates: Vec<(usize, String)> = (0..self.records.len())
            .filter(|&record| !self.records[record].is_union)
            .filter_map(|record| {
                let link = self.pointer_members(record, &FieldKind::Link).into_iter().next()?;
                Some((record, link))
            })
            .collect();
        let Some((record, link)) = self.random.pick(&candidates).cloned() else { return };
        let tag = self.records[record].tag.clone();
        let (head, node, count) = (self.fresh("l"), self.fresh("n"), self.random.between(0, 3));
        let end = match self.random.percent(40) {
            true => format!("(int)({}) % 4", self.simple()),
            false => count.to_string(),
        };
        self.line(format!("{tag} *{head} = 0;"));
        self.open(format!("for (int k = 0; k < {end}; k++)"));
        self.line(format!("{tag} *{node} = calloc(1, sizeof *{node});"));
        if let Some(member) = self.member(record, &format!("{node}->")) {
            self.line(format!("{member} = k + 1;"));
        }
        self.line(format!("{node}->{link} = {head};"));
        self.line(format!("{head} = {node};"));
        self.close();
        if self.random.percent(60)
            && let Some(member) = self.member(record, &format!("{node}->"))
        {
            self.line(format!(
                "for ({tag} *{node} = {head}; {node}; {node} = {node}->{link}) acc += (int){member} & 31;"
            ));
        }
        if self.is_risky() {
            self.line(format!("{head} = {head}->{link};"));
        }
        if self.random.percent(25) {
            self.line(format!("if ({head} && {head}->{link}) {{ {tag} *{node} = {head}->{link}; {head}->{link} = {node}->{link}; free({node}); }}"));
        }
        self.open(format!("while ({head})"));
        if self.is_risky() {
            self.line(format!("free({head});"));
            self.line(format!("{head} = {head}->{link};"));
        } else {
            self.line(format!("{tag} *{node} = {head}->{link};"));
            self.line(format!("free({head});"));
            self.line(format!("{head} = {node};"));
        }
        if self.is_risky() {
            self.line("break;");
        }
        self.close();
    }

    /// A pointer to a variable of an inner block.
    pub(super) fn inner(&mut self) {
        let name = self.fresh("q");
        let target = self.fresh("v");
        let outside = self.pointer_to("int", 1).filter(|value| !value.contains("(int *)0"));
        let is_null = outside.is_none();
        self.line(format!("int *{name} = {};", outside.clone().unwrap_or_else(|| "0".to_owned())));
        let condition = self.condition(0);
        let head = match self.random.below(3) {
            0 => format!("if ({condition})"),
            1 => "do".to_owned(),
            _ => String::new(),
        };
        self.open(head);
        let is_loop = self.text.trim_end().ends_with("do {");
        let value = self.number(1);
        self.line(format!("int {target} = {value};"));
        self.line(format!("{name} = &{target};"));
        self.line(format!("*{name} = *{name} % 100 + 1;"));
        self.line(format!("acc += {target};"));
        let is_reset = !self.is_risky();
        if is_reset {
            self.line(format!("{name} = {};", outside.unwrap_or_else(|| "0".to_owned())));
        }
        match is_loop {
            false => self.close(),
            true => {
                self.scope.leave();
                self.depth -= 1;
                self.line("} while (0);");
            }
        }
        let state = match (is_reset, is_null) {
            (true, false) => State::Good,
            (true, true) => State::MaybeNull,
            (false, _) => State::Bad,
        };
        self.scope.add(name.clone(), Kind::Pointer { ty: "int", length: 1, state, is_owner: false });
        if !is_reset && self.random.percent(60) {
            self.line(format!("acc += *{name} & 7;"));
        }
    }

    /// Members that are pointers: assigned, and used behind a test.
    pub(super) fn pointer_member(&mut self) {
        let records = self.scope.matching(|kind| {
            matches!(kind, Kind::Record(_) | Kind::RecordPointer { state: State::Good, .. })
        });
        let Some(variable) = self.random.pick(&records).cloned() else { return };
        let (record, arrow) = match variable.kind {
            Kind::Record(record) => (record, "."),
            Kind::RecordPointer { record, .. } => (record, "->"),
            _ => return,
        };
        let pointers = self.pointer_members(record, &FieldKind::Pointer);
        let links = self.pointer_members(record, &FieldKind::Link);
        let place = format!("{}{arrow}", variable.name);
        if let Some(member) = self.random.pick(&pointers).cloned() {
            if let Some(value) = self.pointer_to("int", 1) {
                self.line(format!("{place}{member} = {value};"));
            }
            let place = format!("{place}{member}");
            match self.random.below(4) {
                0 => self.line(format!("if ({place}) *{place} = 5;")),
                1 => self.line(format!("acc += {place} ? *{place} & 63 : 2;")),
                2 => self.line(format!("acc += {place} && *{place} > 1;")),
                _ if self.is_risky() => self.line(format!("acc += *{place} & 3;")),
                _ => self.line(format!("{place} = 0;")),
            }
        } else if let Some(link) = self.random.pick(&links).cloned() {
            if let Some(value) = self.record_pointer(record) {
                self.line(format!("{place}{link} = {value};"));
            }
            if let Some(member) = self.member(record, &format!("{place}{link}->")) {
                match self.is_risky() {
                    true => self.line(format!("acc += (int){member} & 7;")),
                    false => self.line(format!("if ({place}{link} != 0) {member} = 1;")),
                }
            }
            self.line(format!("{place}{link} = 0;"));
        }
    }
}
