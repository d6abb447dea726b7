"""The lab file of the skill for agents is one that the program takes."""

import pathlib
import re

from conftest import lab

SKILL = pathlib.Path(__file__).resolve().parent.parent.parent / "skills/hashrange/SKILL.md"


def test_the_lab_file_of_the_skill(tmp_path):
    file = tmp_path / "skill.yaml"
    file.write_text(re.search(r"^```yaml\n(.*?)^```", SKILL.read_text(), re.S | re.M)[1])
    text = lab("explain", file)
    for layout in ("together", "apart"):
        assert f"{layout}: by key" in text
