"""@hashrange/browser as a user installs it: built with Vite and with esbuild, and opened in Chromium."""

import functools
import http.server
import json
import os
import re
import threading

import pytest
from npm_project import DIST, VERSION

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")

pytestmark = [
    pytest.mark.skipif(not (DIST / f"npm/hashrange-browser-{VERSION}.tgz").exists(), reason="dist/wasm has no modules: there is no @hashrange/browser"),
    pytest.mark.skipif(not os.access(CHROMIUM, os.X_OK), reason=f"{CHROMIUM} is not there"),
]

# The page shows what the sample of the package's README prints, and a call of the lab.
PAGE = """<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><script type="module" src="./{script}"></script>"""
SCRIPT = """
const show = (value) => {{ document.title = JSON.stringify(value) }}
const console = {{ log: (item) => {{ printed = item }} }}
let printed
try {{
  {sample}
  show([printed, (await labStarter({options})).slice(0, 6)])
}} catch (error) {{
  show(String(error))
}}
"""
SHOWN = [{"PK": {"S": "USER#1"}, "age": {"N": "7"}}, "# A la"]

OPEN = """
import { chromium } from 'playwright-core'
const browser = await chromium.launch({ executablePath: process.argv[2], args: ['--no-sandbox', '--disable-gpu', '--disable-quic',
  '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'] })
const page = await browser.newPage()
await page.goto(process.argv[3])
await page.waitForFunction(() => document.title !== '', undefined, { timeout: 60_000 })
process.stdout.write(await page.title())
await browser.close()
"""


@pytest.fixture(scope="module")
def project(new_project):
    """A project with the package, the SDK and both bundlers."""
    made = new_project("@hashrange/browser", "@aws-sdk/client-dynamodb", "vite@7", "esbuild", "playwright-core", has_cache=False)
    (made.folder / "open.mjs").write_text(OPEN)
    return made


def script(project, options=""):
    """Returns the sample of the installed README as a script of a page. `options` are those of the package's functions."""
    readme = project.path("@hashrange/browser/README.md").read_text()
    sample = re.search(r"```js\n(.*?)```", readme, re.S)[1]
    imports = re.findall(r"^import .*\n", sample, re.M)
    body = re.sub(r"^import .*\n", "", sample, flags=re.M).replace("openDatabase()", f"openDatabase({options})").strip()
    return "".join(imports).replace("{ openDatabase }", "{ labStarter, openDatabase }") + SCRIPT.format(sample=body, options=options)


@pytest.fixture
def serve():
    """Serves a folder, and returns the URL of its page."""
    servers = []

    def start(folder):
        class Handler(http.server.SimpleHTTPRequestHandler):
            extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".mjs": "text/javascript", ".wasm": "application/wasm"}

            def log_message(self, *_):
                pass

        servers.append(http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=folder)))
        threading.Thread(target=servers[-1].serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{servers[-1].server_port}/index.html"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


def shown(project, url):
    """Returns what the page shows in Chromium."""
    return json.loads(project.run("node", "open.mjs", CHROMIUM, url)[0])


def test_a_page_that_vite_has_built(project, serve):
    app = project.folder / "app-of-vite"
    app.mkdir()
    (app / "index.html").write_text(PAGE.format(script="main.js"))
    (app / "main.js").write_text(script(project))
    project.run("npx", "vite", "build", "--logLevel", "warn", "--outDir", "built", "--target", "es2022", str(app))
    assert shown(project, serve(app / "built")) == SHOWN


def test_a_page_that_esbuild_has_bundled(project, serve):
    app = project.folder / "app-of-esbuild"
    app.mkdir()
    (app / "index.html").write_text(PAGE.format(script="bundle.js"))
    (app / "main.js").write_text(script(project, "{ files: '/hashrange/' }"))
    project.run("npx", "esbuild", str(app / "main.js"), "--bundle", "--format=esm", "--log-level=error", f"--outfile={app}/bundle.js")
    (app / "hashrange").symlink_to(project.path("@hashrange/browser"))
    assert shown(project, serve(app)) == SHOWN
