"""Findings as JUnit's XML, which continuous integration systems read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree import ElementTree as Xml

from arena.conformance.findings import Finding, Outcome

# What XML 1.0 has no way to write.
_UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(findings: Sequence[Finding], bot: str) -> str:
    """One test suite, one test case a finding."""
    count = {outcome: sum(f.outcome is outcome for f in findings) for outcome in Outcome}
    suite = Xml.Element(
        "testsuite",
        name=_writable(f"arena bot check {bot}"),
        tests=str(len(findings)),
        failures=str(count[Outcome.FAILED]),
        errors="0",
        skipped=str(count[Outcome.SKIPPED]),
        time=f"{sum(f.seconds for f in findings):.3f}",
    )
    for each in findings:
        case = Xml.SubElement(
            suite, "testcase", classname=each.check, name=each.name, time=f"{each.seconds:.3f}"
        )
        if each.outcome is Outcome.FAILED:
            failure = Xml.SubElement(case, "failure", message=_writable(each.detail))
            failure.text = _writable("\n".join((each.detail, *each.exchange)))
        elif each.outcome is Outcome.SKIPPED:
            Xml.SubElement(case, "skipped", message=_writable(each.detail))
        else:
            Xml.SubElement(case, "system-out").text = _writable(each.detail)
    root = Xml.Element("testsuites")
    root.append(suite)
    Xml.indent(root)
    return Xml.tostring(root, "unicode", xml_declaration=True) + "\n"


def _writable(text: str) -> str:
    return _UNWRITABLE.sub("\ufffd", text)
