"""The tool-info module of hornwork for BenchExec 3 (benchexec.tools.template.BaseTool2).

With the root of the repository on PYTHONPATH and the binary on PATH, the module is
`tool="contrib.benchexec.hornwork"`.
"""

import json
import re

import benchexec.result as result
from benchexec.tools.sv_benchmarks_util import get_data_model_from_task, ILP32, LP64
from benchexec.tools.template import BaseTool2, ToolNotFoundException, UnsupportedFeatureException


class Tool(BaseTool2):
    """Hornwork verifies C programs by SMT-based algorithms."""

    def executable(self, tool_locator):
        for subdir in (None, "target/release", "bin"):
            try:
                return tool_locator.find_executable("hornwork", subdir=subdir)
            except ToolNotFoundException as error:
                missing = error
        raise missing

    def name(self):
        return "Hornwork"

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="hornwork")

    def cmdline(self, executable, options, task, rlimits):
        command = [executable, "verify", "--json", "--stats", "--quiet"]
        # Two seconds before the limit, so that the answer and the statistics are printed. A run
        # measures its wall time, which is at least the CPU time on one core.
        limit = rlimits.walltime or rlimits.cputime
        if rlimits.cputime and limit:
            limit = min(limit, rlimits.cputime)
        if limit and not any(option.startswith("--timelimit") for option in options):
            command.append(f"--timelimit={max(limit - 2, limit / 2)}")
        if rlimits.memory and not any(option.startswith("--memlimit") for option in options):
            command.append(f"--memlimit={rlimits.memory // 2**20}")
        command += options
        if task.property_file:
            command.append(f"--property={task.property_file}")
        if task.options:
            if task.options.get("language", "C") != "C":
                raise UnsupportedFeatureException("hornwork verifies C programs only")
            model = get_data_model_from_task(task, {ILP32: "ILP32", LP64: "LP64"})
            if model and not any(option.startswith("--data-model") for option in options):
                command.append(f"--data-model={model}")
        return [*command, "--", *task.input_files]

    def determine_result(self, run):
        answer = _answer(run.output)
        verdict = answer.get("verdict")
        if verdict == "TRUE":
            return result.RESULT_TRUE_PROP
        if verdict == "FALSE":
            kind = answer.get("property")
            if kind in (None, "unreach-call"):
                return result.RESULT_FALSE_PROP
            return f"{result.RESULT_FALSE_PROP}({kind})"
        if verdict == "UNKNOWN":
            kind = answer.get("kind", "")
            if kind == "time-limit":
                return "TIMEOUT"
            if kind == "memory-limit":
                return "OUT OF MEMORY"
            return f"{result.RESULT_UNKNOWN}({kind})" if kind else result.RESULT_UNKNOWN
        if verdict == "ERROR":
            return f"{result.RESULT_ERROR}({answer.get('message', '')[:60]})"
        if run.was_timeout:
            return "TIMEOUT"
        return result.RESULT_ERROR

    def get_value_from_output(self, output, identifier):
        """The member with this dotted path, such as `statistics.refinements`; `calls NAME` and
        `failures NAME` are the calls of a kind of query, such as `failures interpolants: craig`."""
        answer = _answer(output)
        calls = re.fullmatch(r"(calls|failures) (.*)", identifier)
        if calls:
            member = "count" if calls[1] == "calls" else "failures"
            entry = answer.get("solving", {}).get("queries", {}).get(calls[2], {})
            return _shown(entry.get(member))
        value = answer
        for name in identifier.split("."):
            if not isinstance(value, dict):
                return None
            value = value.get(name)
        return _shown(value)


def _answer(output):
    """The object that hornwork prints, a line of its own."""
    for line in reversed(list(output)):
        if line.startswith("{"):
            try:
                return json.loads(line)
            except ValueError:
                return {}
    return {}


def _shown(value):
    return None if value is None or isinstance(value, (dict, list)) else str(value)
