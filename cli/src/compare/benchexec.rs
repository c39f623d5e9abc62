//! Benchmark definitions of BenchExec (`.xml`) as campaigns.
//!
//! Run definitions become configurations, and their tasks become tasks that only they run. The
//! elements and attributes are those of BenchExec 3: `rundefinition`, `tasks`, `include`,
//! `includesfile`, `exclude`, `excludesfile`, `option`, `propertyfile`, and the limits.
//!
//! DIVERGENCE: `timelimit` limits the CPU time of all processes, as in BenchExec, and is also the
//! wall time that a run gives itself where `walltimelimit` is absent, so that it ends with an
//! answer instead of a signal. Elements that only affect BenchExec's own output are ignored; others
//! that are not supported are errors.

use super::matrix::Configuration;
use super::tasks::{self, Kind, Task};
use crate::comparison::ResourceOptions;
use crate::error::CliError;
use roxmltree::{Document, Node, ParsingOptions};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The largest number of elements and texts of a definition.
const MOST_NODES: u32 = 1_000_000;

/// The campaign of a benchmark definition.
pub(super) struct Definition {
    pub(super) kind: Kind,
    pub(super) configurations: Vec<Configuration>,
    pub(super) tasks: Vec<Task>,
    /// The limits, over those that were passed in.
    pub(super) resources: ResourceOptions,
}

/// A definition while it is read.
struct Reader<'p> {
    path: &'p Path,
    folder: &'p Path,
}

/// Elements that affect only the output of BenchExec.
const IGNORED: &[&str] = &["columns", "resultfiles", "require"];

/// Reads the definition in `path`. `resources` has the limits that it does not state.
pub(super) fn read(path: &Path, resources: ResourceOptions) -> Result<Definition, CliError> {
    let io = |source| CliError::Io { path: path.to_path_buf(), source };
    let text = std::fs::read_to_string(path).map_err(io)?;
    let folder = std::path::absolute(path).map_err(io)?;
    let reader = Reader { path, folder: folder.parent().unwrap_or(Path::new("/")) };
    let options = ParsingOptions { allow_dtd: true, nodes_limit: MOST_NODES, ..ParsingOptions::default() };
    let document =
        Document::parse_with_options(&text, options).map_err(|error| reader.error(&error.to_string()))?;
    reader.definition(document.root_element(), resources)
}

impl Reader<'_> {
    fn error(&self, message: &str) -> CliError {
        CliError::Task { path: self.path.to_path_buf(), message: message.to_owned() }
    }

    fn error_at(&self, node: Node<'_, '_>, message: &str) -> CliError {
        let place = node.document().text_pos_at(node.range().start);
        self.error(&format!("line {}, column {}: {message}", place.row, place.col))
    }

    fn definition(&self, root: Node<'_, '_>, mut resources: ResourceOptions) -> Result<Definition, CliError> {
        if !root.has_tag_name("benchmark") {
            return Err(self.error_at(root, "expected the element benchmark"));
        }
        if root.attribute("tool").is_some_and(|tool| tool.rsplit('.').next() != Some("hornwork")) {
            return Err(self.error_at(root, "the benchmark is for another tool"));
        }
        let time = |name: &str| root.attribute(name).map(|text| self.seconds(root, text)).transpose();
        let (cpu, wall) = (time("timelimit")?, time("walltimelimit")?);
        resources.cputimelimit = cpu.unwrap_or(resources.cputimelimit);
        resources.timelimit = wall.or(cpu).unwrap_or(resources.timelimit);
        if let Some(text) = root.attribute("memlimit") {
            resources.memlimit = self.megabytes(root, text)?;
        }
        if let Some(text) = root.attribute("cpuCores") {
            resources.cores =
                text.trim().parse().map_err(|_| self.error_at(root, "cpuCores is not a number"))?;
        }
        self.known(root, &["rundefinition", "tasks", "option", "propertyfile"])?;
        let shared = options(root);
        let mut configurations = Vec::new();
        let mut parts: Vec<(Part, Vec<String>)> = Vec::new();
        let all = self.parts(root, root)?;
        let definitions: Vec<Node<'_, '_>> =
            root.children().filter(|node| node.has_tag_name("rundefinition")).collect();
        for (number, definition) in definitions.iter().enumerate() {
            self.known(*definition, &["tasks", "option", "propertyfile"])?;
            let name = match definition.attribute("name") {
                Some(name) => name.to_owned(),
                None => format!("run definition {}", number + 1),
            };
            let options = shared.iter().cloned().chain(options(*definition)).collect();
            configurations.push(Configuration { name: name.clone(), options });
            let property = self.property(*definition)?;
            for part in all.iter().cloned().map(|part| part.with(property.as_deref())) {
                parts.push((part, vec![name.clone()]));
            }
            for part in self.parts(*definition, root)? {
                parts.push((part, vec![name.clone()]));
            }
        }
        if definitions.is_empty() {
            configurations.push(Configuration { name: "default".to_owned(), options: shared });
            parts.extend(all.into_iter().map(|part| (part, Vec::new())));
        }
        let (kind, tasks) = self.tasks(parts, configurations.len())?;
        Ok(Definition { kind, configurations, tasks, resources })
    }

    /// Checks the child elements of `node`.
    fn known(&self, node: Node<'_, '_>, names: &[&str]) -> Result<(), CliError> {
        let is_known = |child: &Node<'_, '_>| {
            names.contains(&child.tag_name().name()) || IGNORED.contains(&child.tag_name().name())
        };
        match node.children().filter(Node::is_element).find(|child| !is_known(child)) {
            Some(child) => {
                let name = child.tag_name().name();
                Err(self.error_at(child, &format!("unsupported element {name}")))
            }
            None => Ok(()),
        }
    }

    /// The parts of the tasks that are children of `node`.
    fn parts(&self, node: Node<'_, '_>, root: Node<'_, '_>) -> Result<Vec<Part>, CliError> {
        let outer = match self.property(node)? {
            Some(property) => Some(property),
            None => self.property(root)?,
        };
        let mut parts = Vec::new();
        for node in node.children().filter(|node| node.has_tag_name("tasks")) {
            self.known(
                node,
                &["include", "includesfile", "exclude", "excludesfile", "option", "propertyfile"],
            )?;
            let own = self.property(node)?;
            let files = self.files(node)?;
            parts.push(Part {
                name: node.attribute("name").map(str::to_owned),
                files,
                options: options(node),
                is_own: own.is_some(),
                property: own.or_else(|| outer.clone()),
            });
        }
        Ok(parts)
    }

    /// The property file of an element.
    fn property(&self, node: Node<'_, '_>) -> Result<Option<String>, CliError> {
        let Some(node) = node.children().find(|node| node.has_tag_name("propertyfile")) else {
            return Ok(None);
        };
        if node.attribute("expectedverdict").is_some() {
            return Err(self.error_at(node, "unsupported attribute expectedverdict"));
        }
        let file = self.path_of(node)?;
        match file.is_file() {
            true => Ok(Some(file.to_string_lossy().into_owned())),
            false => Err(self.error_at(node, &format!("no property file {}", file.display()))),
        }
    }

    /// The files of a `tasks` element.
    fn files(&self, node: Node<'_, '_>) -> Result<Vec<PathBuf>, CliError> {
        let mut found = Vec::new();
        let mut excluded = BTreeSet::new();
        for child in node.children().filter(Node::is_element) {
            let pattern = || self.path_of(child);
            match child.tag_name().name() {
                "include" => found.extend(self.expand(child, &pattern()?)?),
                "includesfile" => found.extend(self.set(child, &pattern()?)?),
                "exclude" => excluded.extend(self.expand(child, &pattern()?)?),
                "excludesfile" => excluded.extend(self.set(child, &pattern()?)?),
                _ => {}
            }
        }
        let mut seen = BTreeSet::new();
        found.retain(|file| !excluded.contains(file) && seen.insert(file.clone()));
        Ok(found)
    }

    /// The text of an element as a path below the folder of the definition.
    fn path_of(&self, node: Node<'_, '_>) -> Result<PathBuf, CliError> {
        let text = node.text().unwrap_or_default().trim();
        let text = text.replace("${benchmark_path}", &self.folder.to_string_lossy());
        match text.contains("${") {
            true => Err(self.error_at(node, "unsupported variable; only ${benchmark_path} is known")),
            false => Ok(self.folder.join(text)),
        }
    }

    fn expand(&self, node: Node<'_, '_>, pattern: &Path) -> Result<Vec<PathBuf>, CliError> {
        let paths = glob::glob(&pattern.to_string_lossy())
            .map_err(|error| self.error_at(node, &format!("not a pattern: {error}")))?;
        // In sorted order. A folder that cannot be read has no files.
        let files: Vec<PathBuf> = paths.flatten().filter(|path| path.is_file()).collect();
        match files.is_empty() {
            true => Err(self.error_at(node, &format!("no file matches {}", pattern.display()))),
            false => Ok(files),
        }
    }

    /// The files of a set: a file with patterns, one for each line.
    fn set(&self, node: Node<'_, '_>, pattern: &Path) -> Result<Vec<PathBuf>, CliError> {
        let mut found = Vec::new();
        for set in self.expand(node, pattern)? {
            let text =
                std::fs::read_to_string(&set).map_err(|source| CliError::Io { path: set.clone(), source })?;
            let folder = set.parent().unwrap_or(Path::new("/"));
            let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
            for line in lines {
                found.extend(self.expand(node, &folder.join(line))?);
            }
        }
        Ok(found)
    }

    /// Makes one task of each file and choice of options.
    fn tasks(
        &self,
        parts: Vec<(Part, Vec<String>)>,
        configurations: usize,
    ) -> Result<(Kind, Vec<Task>), CliError> {
        let mut kinds = BTreeSet::new();
        let mut found: Vec<Task> = Vec::new();
        let mut places: BTreeMap<(PathBuf, Vec<String>), usize> = BTreeMap::new();
        let mut sets: Vec<Option<String>> = Vec::new();
        for (part, only) in parts {
            if part.files.is_empty() {
                continue;
            }
            let (kind, tasks) = tasks::find(&part.files, part.property.as_deref())?;
            kinds.insert(kind);
            for mut task in tasks {
                task.options.extend(part.options.iter().cloned());
                task.only.clone_from(&only);
                match places.entry((task.path.clone(), task.options.clone())) {
                    std::collections::btree_map::Entry::Occupied(place) => {
                        let known = &mut found[*place.get()];
                        known.only.extend(only.iter().cloned());
                    }
                    std::collections::btree_map::Entry::Vacant(place) => {
                        place.insert(found.len());
                        found.push(task);
                        sets.push(part.name.clone());
                    }
                }
            }
        }
        let kind = tasks::only(kinds).map_err(|error| self.error(error))?;
        tasks::name(&mut found);
        let mut names: BTreeMap<String, usize> = BTreeMap::new();
        for (task, set) in found.iter_mut().zip(sets) {
            task.set = set.unwrap_or_else(|| task.set.clone());
            if task.only.len() == configurations {
                task.only.clear();
            }
            // One file with several properties is several tasks.
            let count = names.entry(task.name.clone()).or_default();
            *count += 1;
            if *count > 1 {
                task.name = format!("{} ({count})", task.name);
            }
        }
        Ok((kind, found))
    }

    /// Parses a time: a number of seconds, or with one of the units s, min, h, d.
    fn seconds(&self, node: Node<'_, '_>, text: &str) -> Result<f64, CliError> {
        let units = [("min", 60.0), ("s", 1.0), ("h", 3600.0), ("d", 86400.0), ("", 1.0)];
        self.quantity(node, text, &units)
    }

    /// Parses a size of memory: a number of megabytes, or with a unit.
    fn megabytes(&self, node: Node<'_, '_>, text: &str) -> Result<u64, CliError> {
        let units = [
            ("TB", 1e6),
            ("GB", 1e3),
            ("MB", 1.0),
            ("kB", 1e-3),
            ("TiB", 1_099_511.627_776),
            ("GiB", 1_073.741_824),
            ("MiB", 1.048_576),
            ("KiB", 0.001_024),
            ("B", 1e-6),
            ("", 1.0),
        ];
        // In units of 1 MiB, as all limits of hornwork.
        Ok((self.quantity(node, text, &units)? / 1.048_576).ceil() as u64)
    }

    fn quantity(&self, node: Node<'_, '_>, text: &str, units: &[(&str, f64)]) -> Result<f64, CliError> {
        let text = text.trim();
        let read = |&(unit, factor): &(&str, f64)| {
            let number: f64 = text.strip_suffix(unit)?.trim_end().parse().ok()?;
            (number.is_finite() && (0.0..=1e9).contains(&number)).then_some(number * factor)
        };
        units.iter().find_map(read).ok_or_else(|| self.error_at(node, &format!("not a quantity: {text}")))
    }
}

/// Files with options and a property.
#[derive(Clone)]
struct Part {
    name: Option<String>,
    files: Vec<PathBuf>,
    options: Vec<String>,
    property: Option<String>,
    /// Whether the property belongs to these files alone.
    is_own: bool,
}

impl Part {
    /// The part with the property of a run definition, unless it has one of its own.
    fn with(mut self, property: Option<&str>) -> Self {
        if let (false, Some(property)) = (self.is_own, property) {
            self.property = Some(property.to_owned());
        }
        self
    }
}

/// The `option` elements of `node` as words of a command line.
fn options(node: Node<'_, '_>) -> Vec<String> {
    let mut words = Vec::new();
    for option in node.children().filter(|node| node.has_tag_name("option")) {
        let (name, value) = (option.attribute("name"), option.text().map(str::trim));
        match (name, value.filter(|value| !value.is_empty())) {
            (Some(name), Some(value)) if name.starts_with("--") => words.push(format!("{name}={value}")),
            (name, value) => words.extend(name.into_iter().chain(value).map(str::to_owned)),
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: ResourceOptions =
        ResourceOptions { timelimit: 7.0, cputimelimit: 0.0, memlimit: 0, cores: 1, jobs: 1 };

    /// Reads a definition beside the files `a/t.c`, `a/u.c`, `a/s.set` and `p.prp`.
    fn read_text(text: &str) -> Result<Definition, String> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let write = |name: &str, text: &str| {
            std::fs::write(folder.path().join(name), text).expect("a temporary file");
        };
        std::fs::create_dir(folder.path().join("a")).expect("a temporary folder");
        write("a/t.c", "int main(void) {}");
        write("a/u.c", "int main(void) {}");
        write("a/s.set", "# a comment\nt.*\n");
        write("p.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )");
        write("b.xml", text);
        read(&folder.path().join("b.xml"), LIMITS).map_err(|error| error.to_string())
    }

    #[test]
    fn run_definitions_are_configurations() {
        let text = r#"<?xml version="1.0"?>
            <!DOCTYPE benchmark PUBLIC "+//IDN sosy-lab.org//DTD BenchExec benchmark 2.3//EN" "x.dtd">
            <benchmark tool="benchexec.tools.hornwork" timelimit="2 min" memlimit="2 GiB" cpuCores="1">
              <option name="--solver">z3</option>
              <rundefinition name="one"><option name="--algorithm">bmc</option></rundefinition>
              <rundefinition name="two">
                <tasks name="more"><include>a/u.c</include><propertyfile>p.prp</propertyfile></tasks>
              </rundefinition>
              <tasks name="base"><includesfile>a/*.set</includesfile><option name="--no-validate"/></tasks>
              <columns><column title="k">k</column></columns>
            </benchmark>"#;
        let definition = read_text(text).expect("a definition");
        let names: Vec<&str> = definition.configurations.iter().map(|own| own.name.as_str()).collect();
        assert_eq!(names, ["one", "two"]);
        assert_eq!(definition.configurations[0].options, ["--solver=z3", "--algorithm=bmc"]);
        let [base, more] = &definition.tasks[..] else { panic!("{:?}", definition.tasks) };
        assert_eq!((base.name.as_str(), base.set.as_str(), base.only.len()), ("a/t.c", "base", 0));
        assert_eq!(base.options, ["--no-validate"]);
        assert_eq!((more.name.as_str(), more.only.as_slice()), ("a/u.c", &["two".to_owned()][..]));
        assert!(more.options[0].starts_with("--property=/"), "{:?}", more.options);
        let resources = definition.resources;
        assert_eq!((resources.timelimit, resources.cputimelimit, resources.memlimit), (120.0, 120.0, 2048));
    }

    #[test]
    fn errors_have_positions() {
        for (text, expected) in [
            ("<benchmark>\n <withoutfile/></benchmark>", "line 2, column 2: unsupported element withoutfile"),
            ("<benchmark><tasks><include>a/x.*</include></tasks></benchmark>", "no file matches"),
            ("<benchmark timelimit='soon'/>", "not a quantity: soon"),
            ("<benchmark tool='cbmc'/>", "another tool"),
            ("<benchmark><tasks><include>${x}</include></tasks></benchmark>", "unsupported variable"),
            ("<benchmark>", "b.xml: "),
            ("<benchmark/>", "no tasks found"),
        ] {
            let error = read_text(text).err().unwrap_or_else(|| panic!("{text} is accepted"));
            assert!(error.contains(expected), "{error}");
        }
    }
}
