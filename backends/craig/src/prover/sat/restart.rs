//! Restarts, modes and phases.
//!
//! Two modes alternate (Oh, *Between SAT and UNSAT*, SAT 2015). In focused mode the search restarts
//! as soon as the recently learned clauses are worse than average by their LBD (Audemard and Simon,
//! *Refining Restarts Strategies for SAT and UNSAT*, CP 2012, with exponential averages as in Biere
//! and Fröhlich, *Evaluating CDCL Restart Schemes*, 2015). In stable mode restarts are rare and
//! follow Luby's sequence. Both modes get about the same amount of work, measured in clause visits:
//! measuring time would make runs nondeterministic. The saved phases are reset occasionally (Biere
//! and Fleury, *Chasing Target Phases*, 2020; without local search).

const STABLE_UNIT: u64 = 1024;
const MARGIN: f64 = 1.10;
const FIRST_FOCUSED: u64 = 1000;
const REPHASE: u64 = 1000;

/// The decision mode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mode {
    Focused,
    Stable,
}

/// An exponential moving average with bias correction.
#[derive(Clone, Debug)]
struct Average {
    value: f64,
    weight: f64,
    rate: f64,
}

impl Average {
    fn new(window: f64) -> Self {
        Average { value: 0.0, weight: 0.0, rate: 1.0 / window }
    }

    fn add(&mut self, value: f64) {
        self.value += self.rate * (value - self.value);
        self.weight += self.rate * (1.0 - self.weight);
    }

    fn get(&self) -> f64 {
        if self.weight == 0.0 { 0.0 } else { self.value / self.weight }
    }
}

/// The phases after a reset.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rephase {
    Original,
    Inverted,
    Flipped,
    Best,
}

#[derive(Clone, Debug)]
pub(super) struct Restarts {
    pub(super) mode: Mode,
    fast: Average,
    slow: Average,
    /// No restart before this number of conflicts.
    next: u64,
    luby: Luby,
    switches: u64,
    /// The ticks of the first phase, which ends by conflicts.
    unit: u64,
    phase_started: u64,
    phase_ticks: u64,
    rephased: u64,
    next_rephase: u64,
}

impl Default for Restarts {
    fn default() -> Self {
        Restarts {
            mode: Mode::Focused,
            fast: Average::new(33.0),
            slow: Average::new(1e5),
            next: 2,
            luby: Luby { u: 1, v: 1 },
            switches: 0,
            unit: 0,
            phase_started: 0,
            phase_ticks: 0,
            rephased: 0,
            next_rephase: REPHASE,
        }
    }
}

impl Restarts {
    /// Records the LBD of a learned clause.
    pub(super) fn learned(&mut self, lbd: u32) {
        self.fast.add(f64::from(lbd));
        self.slow.add(f64::from(lbd));
    }

    /// Whether a restart is due. If so, schedules the next one.
    pub(super) fn is_due(&mut self, conflicts: u64) -> bool {
        if conflicts < self.next {
            return false;
        }
        match self.mode {
            Mode::Focused => {
                let is_due = self.fast.get() > MARGIN * self.slow.get();
                if is_due {
                    self.next = conflicts + 2;
                }
                is_due
            }
            Mode::Stable => {
                self.next = conflicts + STABLE_UNIT * self.luby.next();
                true
            }
        }
    }

    /// Switches the mode when it is due; `ticks` is the total work so far.
    pub(super) fn switch(&mut self, conflicts: u64, ticks: u64) {
        let is_over = if self.switches == 0 {
            conflicts >= FIRST_FOCUSED
        } else {
            ticks >= self.phase_started + self.phase_ticks
        };
        if !is_over {
            return;
        }
        if self.switches == 0 {
            self.unit = ticks.max(1);
        }
        self.switches += 1;
        self.phase_ticks = self.unit * self.switches.div_ceil(2).pow(2);
        self.phase_started = ticks;
        self.mode = match self.mode {
            Mode::Focused => Mode::Stable,
            Mode::Stable => Mode::Focused,
        };
        self.next = match self.mode {
            Mode::Focused => conflicts + 2,
            Mode::Stable => {
                self.luby = Luby { u: 1, v: 1 };
                conflicts + STABLE_UNIT
            }
        };
    }

    /// The next phase reset, if it is due.
    pub(super) fn rephase(&mut self, conflicts: u64) -> Option<Rephase> {
        if conflicts < self.next_rephase {
            return None;
        }
        let choice = match self.rephased {
            0 => Rephase::Original,
            1 => Rephase::Inverted,
            later => match (later - 2) % 6 {
                1 => Rephase::Original,
                3 => Rephase::Flipped,
                5 => Rephase::Inverted,
                _ => Rephase::Best,
            },
        };
        self.rephased += 1;
        self.next_rephase = conflicts + REPHASE * (self.rephased + 1);
        Some(choice)
    }
}

/// Luby's sequence 1, 1, 2, 1, 1, 2, 4, … (Knuth's formulation).
#[derive(Clone, Debug)]
struct Luby {
    u: u64,
    v: u64,
}

impl Luby {
    fn next(&mut self) -> u64 {
        let value = self.v;
        if self.u & self.u.wrapping_neg() == self.v {
            self.u += 1;
            self.v = 1;
        } else {
            self.v *= 2;
        }
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn luby_starts_as_in_the_paper() {
        let mut luby = Luby { u: 1, v: 1 };
        let sequence: Vec<u64> = (0..15).map(|_| luby.next()).collect();
        assert_eq!(sequence, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }

    #[test]
    fn an_average_of_equal_values_is_that_value() {
        let mut average = Average::new(100.0);
        average.add(7.0);
        average.add(7.0);
        assert!((average.get() - 7.0).abs() < 1e-9);
    }

    #[test]
    fn the_modes_take_turns() {
        let mut restarts = Restarts::default();
        restarts.switch(999, 5_000);
        assert_eq!(restarts.mode, Mode::Focused);
        restarts.switch(1000, 5_000);
        assert_eq!(restarts.mode, Mode::Stable);
        restarts.switch(1500, 9_999);
        assert_eq!(restarts.mode, Mode::Stable);
        restarts.switch(1600, 10_000);
        assert_eq!(restarts.mode, Mode::Focused);
    }
}
