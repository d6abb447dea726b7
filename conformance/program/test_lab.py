"""`hashrange lab` as a process: its files, its errors, its progress, and Ctrl-C."""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

import pytest

from conftest import ORDERS, PROGRAM, run, run_on_terminal


def lab(*arguments):
    return run("lab", *map(str, arguments))


@pytest.fixture
def long(tmp_path):
    """An example whose traffic takes minutes."""
    file = tmp_path / "long.yaml"
    file.write_text(re.sub(r"^traffic: .*$", "traffic: [{for: 10d, rate: 1}]", ORDERS.read_text(), flags=re.M))
    return file


def test_a_starter_is_written_once(tmp_path):
    file = tmp_path / "app.yaml"
    assert lab("init", file) == (0, f"wrote {file}; next: hashrange lab explain {file}\n", "")
    starter = file.read_text()
    assert lab("init", "-") == (0, starter, "")
    code, out, err = lab("init", file)
    assert (code, out) == (2, "") and "File exists" in err and file.read_text() == starter
    assert lab("explain", file)[0] == 0


ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MODELS = ROOT / "tests/lab/import/models"


def answered(text):
    """Returns the text of a lab file with the proposal of each open question in its place."""
    return re.sub(r'\{\?[^\n]*? Proposal: \\"(.*?)\\"\.\}"', r'\1"', text)


def test_models_become_lab_files(tmp_path):
    for models in (["schema.json"], ["measurement.json"], ["table.json", "items.jsonl"], ["data_model.json"], ["capacity_model.json"],
                   ["workbench_facets.json"], ["workbench_samples.json"], ["onetable.json"], ["electrodb.json"]):
        file = tmp_path / f"{models[0]}.yaml"
        code, out, err = lab("import", *(MODELS / model for model in models), "--out", file)
        assert (code, out) == (0, f"wrote {file}; next: hashrange lab explain {file}\n"), err
        assert all(line.startswith("hashrange: note: ") for line in err.splitlines())
        code, out, err = lab("explain", file)
        questions = file.read_text().count('"{?')
        if questions:
            assert (code, out) == (2, "")
            assert len(err.splitlines()) == questions and all(f"{file}:" in line and "? " in line for line in err.splitlines()), err
            file.write_text(answered(file.read_text()))
            code, out, err = lab("explain", file)
        assert code == 0 and "why:" in out, err


def test_a_dump_becomes_a_lab_file(tmp_path):
    folder = tmp_path / "dump"
    folder.mkdir()
    (folder / "Library.table.json").write_text((MODELS / "table.json").read_text())
    (folder / "Library.jsonl").write_text((MODELS / "items.jsonl").read_text())
    code, of_folder, err = lab("import", folder)
    assert code == 0 and "of: ReaderProfile" in of_folder, err
    code, of_files, err = lab("import", MODELS / "table.json", MODELS / "items.jsonl")
    assert of_folder.splitlines()[1:] == of_files.splitlines()[1:]


def test_an_import_overwrites_only_what_it_is_told_to(tmp_path):
    model = tmp_path / "model.json"
    model.write_text((MODELS / "onetable.json").read_text())
    file = tmp_path / "app.yaml"
    file.write_text("mine")
    code, out, err = lab("import", model, "--out", file)
    assert (code, out) == (2, "") and "File exists" in err and file.read_text() == "mine"
    assert lab("import", model, "--out", model, "--force") == (2, "", f"hashrange: --out would overwrite the model {model}\n")
    assert lab("import", model, "--out", file, "--force")[0] == 0 and file.read_text().startswith("# Made by")
    code, out, err = lab("import", model)
    assert (code, out) == (0, file.read_text())
    with open(model) as stdin:
        done = subprocess.run([PROGRAM, "lab", "import", "-"], stdin=stdin, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and done.stdout.splitlines()[1:] == out.splitlines()[1:]


def test_items_are_not_imported_from_stdin(tmp_path):
    (tmp_path / "stdin").write_text((MODELS / "items.jsonl").read_text())
    with open(MODELS / "items.jsonl") as stdin:
        done = subprocess.run([PROGRAM, "lab", "import", MODELS / "table.json", "-"], stdin=stdin, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "hashrange: stdin has no definition of a table, and items are read from files\n"


def test_a_model_that_is_too_large_is_refused(tmp_path):
    large = tmp_path / "large.json"
    with open(large, "wb") as file:
        file.truncate((1 << 30) + 1)
    code, out, err = lab("import", large)
    assert (code, out) == (2, "") and "has more than 1024 MB" in err
    with open(large, "wb") as file:
        file.truncate(100 << 20)
    code, out, err = lab("import", large)
    assert (code, out) == (2, "") and "it has more than 16 MB" in err


def test_the_schema_is_json():
    code, out, err = lab("schema")
    assert (code, err) == (0, "") and "access_patterns" in json.loads(out)["properties"]


def test_a_run_is_the_same_each_time_and_from_stdin(short, tmp_path):
    code, first, err = lab("run", short, "--no-confirm", "--json", "--threads", "1", "--html", tmp_path / "a.html")
    assert (code, err) == (0, "")
    assert lab("run", short, "--no-confirm", "--json", tmp_path / "b.json", "--threads", "2", "--html", tmp_path / "b.html")[0] == 0
    assert json.loads((tmp_path / "b.json").read_text()) == json.loads(first)
    assert (tmp_path / "a.html").read_text() == (tmp_path / "b.html").read_text()
    with open(short) as file:
        done = subprocess.run([PROGRAM, "lab", "run", "-", "--no-confirm", "--json"], stdin=file, capture_output=True, text=True, timeout=120)
    assert done.stdout == first


def test_an_explanation_is_data_too(short, tmp_path):
    code, out, err = lab("explain", short, "--json")
    assert (code, err) == (0, "")
    layouts = json.loads(out)["layouts"]
    assert [layout["name"] for layout in layouts] == ["sparse status", "every status", "order first"]
    pattern = next(pattern for pattern in layouts[0]["patterns"] if pattern["name"] == "user")
    assert pattern["steps"][0]["operation"] == "GetItem" and pattern["read_units_a_call"]["known"] == "computed"
    assert json.loads(pattern["steps"][0]["request"])["TableName"] == pattern["steps"][0]["table"]
    code, text, err = lab("explain", short, "--layout", "sparse status", "--json", tmp_path / "plans.json")
    assert (code, err) == (0, "") and "GetItem" in text
    assert json.loads((tmp_path / "plans.json").read_text())["layouts"] == layouts[:1]


def test_files_that_cannot_be_read_say_why(tmp_path):
    (tmp_path / "empty.yaml").write_text("")
    assert lab("explain", tmp_path / "empty.yaml") == (2, "", f"hashrange: {tmp_path}/empty.yaml:1:1: the file is empty\n")
    assert lab("explain", tmp_path) == (2, "", f"hashrange: cannot read {tmp_path}: Is a directory\n")


def test_a_run_that_would_take_days_is_refused(long):
    long.write_text(re.sub("rate: 1}]", "rate: 1000}]", long.read_text()))
    code, out, err = lab("run", long)
    assert (code, out) == (2, "") and re.search(r"the traffic would make [\d,]+ calls in each layout, .* --thin \d+, which makes one of \d+ calls\n$", err)


def test_a_check_has_a_verdict_if_there_are_limits(short, tmp_path):
    assert lab("check", short) == (0, "within limits\n", "")
    text = short.read_text()
    strict = tmp_path / "strict.yaml"
    strict.write_text(text[:text.index("limits:")] + 'limits: {"*": {month_usd: 0.01}}\n')
    code, out, err = lab("check", strict, "--layout", "order first")
    assert (code, err, len(out.splitlines())) == (1, "", 1) and "order first" in out
    code, out, err = lab("check", strict, "--layout", "order first", "--thin", "2")
    assert (code, err) == (1, "hashrange: note: one of 2 calls was made, so throttles and failed calls are rough\n")
    strict.write_text(text[:text.index("limits:")])
    assert lab("check", strict) == (2, "", f"hashrange: {strict} has no limits\n")


def test_what_is_wrong_has_a_line(short, tmp_path):
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(short.read_text().replace("get: User", "get: Usr", 1))
    code, out, err = lab("run", wrong, "--html", tmp_path / "a.html")
    assert (code, out) == (2, "") and re.fullmatch(rf"hashrange: {re.escape(str(wrong))}:\d+:\d+: .*User.*\n", err)
    assert not (tmp_path / "a.html").exists()
    assert lab("run", tmp_path / "none.yaml") == (2, "", f"hashrange: cannot read {tmp_path}/none.yaml: No such file or directory\n")
    code, out, err = lab("run", short, "--layout", "sparse")
    assert (code, out) == (2, "") and "unknown layout" in err and "sparse status" in err
    code, out, err = lab("run", short, "--html", tmp_path / "no/such/folder.html")
    assert (code, out, err) == (2, "", f"hashrange: {tmp_path}/no/such/folder.html: it cannot be written: No such file or directory\n")
    code, out, err = lab("run", short, "--json", short)
    assert (code, out) == (2, "") and "would overwrite" in err


def test_two_results_do_not_go_to_one_file(short, tmp_path):
    same = tmp_path / "same.out"
    code, out, err = lab("run", short, "--html", same, "--json", same)
    assert (code, out, err) == (2, "", f"hashrange: --html and --json would write to the same file {same}\n")
    assert lab("run", short, "--json", same, "--requests", same)[0] == 2 and not same.exists()


def test_names_of_one_file_that_is_not_there_yet_are_the_same(short, tmp_path):
    code, out, err = lab("run", short, "--html", tmp_path / "same.out", "--json", f"{tmp_path}/./same.out")
    assert (code, out, err) == (2, "", f"hashrange: --html and --json would write to the same file {tmp_path}/./same.out\n")


def test_two_results_may_go_to_one_device(short):
    code, out, err = lab("run", short, "--no-confirm", "--layout", "order first", "--html", "/dev/null", "--json", "/dev/null")
    assert (code, err) == (0, "") and "order first" in out


def test_a_result_may_go_to_stdout(short, tmp_path):
    arguments = ("run", short, "--no-confirm", "--layout", "order first")
    assert lab(*arguments, "--json", "-") == lab(*arguments, "--json")
    page = tmp_path / "page.html"
    assert lab(*arguments, "--html", page)[0] == 0
    assert lab(*arguments, "--html", "-") == (0, page.read_text(), "")
    assert lab(*arguments, "--html", "-", "--json", "-") == (2, "", "hashrange: --html and --json would both write to stdout\n")
    code, out, err = lab(*arguments, "--requests", "-")
    assert (code, out) == (2, "") and "--requests: has to be a file: stdout has the report" in err
    assert not pathlib.Path("-").exists()


def test_progress_is_shown_on_a_terminal_only(long):
    assert lab("run", long.with_name("none.yaml"))[2].startswith("hashrange: cannot read")
    code, out = run_on_terminal("lab", "run", long, "--thin", "1000", "--no-confirm")
    assert code == 0 and re.search(r"hashrange: \d+ % \[#* *\]", out)


def test_ctrl_c_reports_what_there_is(long):
    code, out = run_on_terminal("lab", "run", long, until=lambda text: re.search(r"[2-9]\d % ", text))
    assert code == 130 and "interrupted: the report is about what was done until then" in out and "order first" in out


@pytest.mark.parametrize("command", ["run", "explain"])
def test_ctrl_c_ends_what_draws_curves(command, long):
    curves = ["--vary", "rates.ship=0.01/s..1000/s"] * 400
    process = subprocess.Popen([PROGRAM, "lab", command, long, *curves], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    began = time.monotonic()
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err) == (130, "", "hashrange: interrupted before anything was done\n")
    assert time.monotonic() - began < 1


def test_ctrl_c_gives_the_layouts_that_were_found_so_far(tmp_path):
    text = subprocess.run([sys.executable, ROOT / "bench/propose/rubis.py", "bidding"], capture_output=True, text=True, check=True).stdout
    lab_file, page = tmp_path / "rubis.yaml", tmp_path / "page.html"
    lab_file.write_text(text)
    process = subprocess.Popen([PROGRAM, "lab", "propose", lab_file, "--html", page], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, "")
    assert out.startswith("Stopped: the best that was found so far, ")
    assert "\n  cheapest:\n    tables:\n" in out and "  why: " in out
    assert "Stopped: the best that was found so far, " in page.read_text()


def test_two_signals_that_come_together_are_one(long):
    page = long.with_name("page.html")
    process = subprocess.Popen([PROGRAM, "lab", "run", long, "--html", page], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(0.5)
    os.kill(process.pid, signal.SIGSTOP)  # so that both signals wait
    process.send_signal(signal.SIGTERM)
    process.send_signal(signal.SIGINT)
    os.kill(process.pid, signal.SIGCONT)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "interrupted: the report is about what was done until then" in err and "order first" in out
    assert page.exists()


def test_a_report_that_cannot_be_printed_is_an_error(short):
    for command in ("schema", "explain"):
        with open("/dev/full", "w") as full:
            done = subprocess.run([PROGRAM, "lab", command, *([short] if command == "explain" else [])], stdout=full, stderr=subprocess.PIPE, text=True)
        assert (done.returncode, done.stderr) == (1, "hashrange: cannot write the answer\n")
