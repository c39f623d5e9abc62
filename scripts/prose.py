#!/usr/bin/env python3
"""Checks the prose of the repository: comments, messages and Markdown.

    scripts/prose.py [FILE...]      all tracked files by default

Four rules, without a list of exceptions:

* a line of prose has at most 100 columns (tables, code blocks and unbreakable lines are no prose);
* none of the banned idioms occurs in a comment, a string of Rust code, or Markdown;
* papers are cited by authors, title and venue; nothing outside the repository is referred to;
* a relative Markdown link leads to a file of the repository, and its anchor to a heading there.

Exits with 1 and a line `FILE:LINE: what is wrong` for each finding.
"""

import io
import re
import subprocess
import sys
import tokenize
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COLUMNS = 100

IDIOMS = [
    (r"\b(?:is|are|was|were|be|been|being) (?:told|said|asked)\b", "name the actor: 'reports', 'states', 'queries'"),
    (r"\b(?:is|are|was|were) none\b", "say 'there is no …'"),
    (r"\bwhoever\b", "name the caller or user"),
    (r"\balike\b", "say 'the same', 'equal up to renaming'"),
    (r"\bwhat (?:is|was) left\b", "say 'the rest', 'the remaining …'"),
    (r"\btroubles?\b", "name the failure"),
    (r"\bwish(?:es|ed)?\b", "name the request"),
    (r"\bmakes? no sense\b", "say 'incompatible', 'not meaningful for …'"),
    (r"\blooks after\b", "say 'enforced by'"),
    (r"(?:^|[.;!?] )What (?:is|are|was|were|it|they|a|an|the|has|have|does|do|can|this|another|no|one)\b(?![^.;]*\?)", "start with the noun of the field"),
]
IDIOMS = [(re.compile(pattern, re.IGNORECASE if not pattern.startswith("(?:^") else 0), hint) for pattern, hint in IDIOMS]

OUTSIDE = re.compile(r"\bDESIGN(?:\.md)?\b(?! *=)|\bSTYLE\.md\b|\bSOLVERS\.md\b|\bseeds? 0\d\d\b|\bseeds/|\b00[0-9] (?:§|ch\.|Alg\.|Table|Fig\.)")

LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")


def rust(text):
    """(line, kind, text) of each comment line and string literal: kinds "comment" and "string"."""
    found, i, line, n = [], 0, 1, len(text)
    while i < n:
        c = text[i]
        if c == "\n":
            line += 1
            i += 1
        elif text.startswith("//", i):
            end = text.find("\n", i)
            end = n if end < 0 else end
            found.append((line, "comment", text[i:end]))
            i = end
        elif text.startswith("/*", i):
            depth, j = 1, i + 2
            while j < n and depth:
                if text.startswith("/*", j):
                    depth, j = depth + 1, j + 2
                elif text.startswith("*/", j):
                    depth, j = depth - 1, j + 2
                else:
                    j += 1
            for k, part in enumerate(text[i:j].split("\n")):
                found.append((line + k, "comment", part))
            line += text.count("\n", i, j)
            i = j
        elif (raw := re.match(r'(?:b|c)?r(#*)"', text[i : i + 20])) and not (i and (text[i - 1].isalnum() or text[i - 1] == "_")):
            close = '"' + raw.group(1)
            j = text.find(close, i + raw.end())
            j = n if j < 0 else j + len(close)
            found.append((line, "string", text[i:j]))
            line += text.count("\n", i, j)
            i = j
        elif c == '"':
            j = i + 1
            while j < n and text[j] != '"':
                j += 2 if text[j] == "\\" else 1
            j = min(j + 1, n)
            found.append((line, "string", text[i:j]))
            line += text.count("\n", i, j)
            i = j
        elif c == "'":
            char = re.match(r"'(?:\\(?:u\{[0-9a-fA-F_]+\}|x[0-9a-fA-F]{2}|.)|[^\\'\n])'", text[i : i + 16])
            i += char.end() if char else 1
        else:
            i += 1
    return found


def python(text):
    found = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                found.append((token.start[0], "comment", token.string))
            elif token.type == tokenize.STRING and token.string.startswith('"""'):
                for k, part in enumerate(token.string.split("\n")):
                    found.append((token.start[0] + k, "comment", part))
    except tokenize.TokenError as error:
        found.append((error.args[1][0], "error", error.args[0]))
    return found


def hashes(text):
    return [(k, "comment", line) for k, line in enumerate(text.split("\n"), 1) if line.lstrip().startswith("#")]


def markdown(text):
    return [(k, "markdown", line) for k, line in enumerate(text.split("\n"), 1)]


READERS = {".rs": rust, ".lalrpop": rust, ".py": python, ".sh": hashes, ".toml": hashes, ".yml": hashes, ".md": markdown}


def reader(path):
    if path.name == "Makefile" or path.parent.name == ".ci":
        return hashes
    return READERS.get(path.suffix)


def anchors(path):
    found = set()
    for line in path.read_text().split("\n"):
        if heading := re.match(r"#+ +(.*)", line):
            text = re.sub(r"[^\w\- ]", "", heading.group(1).lower())
            found.add(text.strip().replace(" ", "-"))
    return found


def links(path, text):
    for target in LINK.findall(re.sub(r"`[^`]*`", "", text)):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        file = (path.parent / name) if name else path
        if not file.exists():
            yield f"the link `{target}` leads nowhere"
        elif anchor and file.suffix == ".md" and anchor not in anchors(file):
            yield f"the link `{target}` has no such heading"


def idioms(paragraph):
    """Findings in a paragraph, a list of (line, text): an idiom may go over the end of a line."""
    text, starts = "", []
    for line, part in paragraph:
        starts.append((len(text), line))
        text += part.strip() + " "
    # Code spans are blanked out, with their length kept.
    text = re.sub(r"`[^`]*`", lambda span: "`" + "x" * (len(span.group(0)) - 2) + "`", text)
    for idiom, hint in IDIOMS:
        for match in idiom.finditer(text):
            line = max(start for start in starts if start[0] <= match.start())[1]
            yield line, f"banned idiom `{match.group(0).strip()}`: {hint}"


def findings(path):
    lines = path.read_text().split("\n")
    fenced, paragraph, before = False, [], 0
    for line, kind, part in reader(path)("\n".join(lines)):
        if kind == "error":
            yield line, part
        elif kind == "string":
            yield from idioms([(line, part.strip('r#"'))])
        else:
            body = re.sub(r"^\s*(?://[/!]?|/\*+!?|\*|#+!?)\s?", "", part) if kind == "comment" else part
            is_fence = body.lstrip().startswith("```")
            is_table = body.lstrip().startswith("|")
            if kind == "comment" and line != before + 1:
                fenced = False
            starts_anew = re.match(r"\s*(?:[*+-]|\d+[.)]|#+) ", body)
            if is_fence or is_table or starts_anew or not body.strip() or line != before + 1:
                yield from idioms(paragraph)
                paragraph = []
            before = line
            if is_fence:
                fenced = not fenced
                continue
            if fenced:
                continue
            columns = len(lines[line - 1])
            can_break = " " in body.strip()[: max(8, COLUMNS - columns + len(body))].strip()
            if columns > COLUMNS and not is_table and can_break:
                yield line, f"{columns} columns, at most {COLUMNS}"
            if match := OUTSIDE.search(body):
                yield line, f"`{match.group(0)}` is outside the repository: cite authors, title, venue"
            if kind == "markdown":
                yield from ((line, finding) for finding in links(path, part))
            paragraph.append((line, body))
    yield from idioms(paragraph)


def main():
    if len(sys.argv) > 1:
        paths = [Path(name).resolve() for name in sys.argv[1:]]
    else:
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True)
        paths = [ROOT / name for name in listed.stdout.split("\0") if name]
    count = 0
    for path in paths:
        if path.is_file() and reader(path):
            for line, finding in findings(path):
                shown = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
                print(f"{shown}:{line}: {finding}")
                count += 1
    if count:
        sys.exit(f"{count} findings")


if __name__ == "__main__":
    main()
