"""The examples give the figures that are in the repository (lab/examples/figures.json)."""

import json

import pytest

import figures
from conftest import PROGRAM


@pytest.mark.parametrize("name", figures.names())
def test_the_figures_are_those_in_the_repository(name):
    assert figures.run_example(PROGRAM, name) == json.loads(figures.FIGURES.read_text())[name]
