"""An npm registry on this machine: it has the packages of a folder, and sends npm to another registry for all others."""

import base64
import hashlib
import http.server
import json
import tarfile
import threading
import urllib.parse


class Registry:
    """Serves the *.tgz of `folder` at `url` until stop(). `asked` has the names of these packages that npm asked for."""

    def __init__(self, folder, upstream):
        self.asked = []
        self.upstream = upstream
        self._files = {file.name: file.read_bytes() for file in folder.glob("*.tgz")}
        self._manifests = {}
        for file in folder.glob("*.tgz"):
            with tarfile.open(file) as archive:
                manifest = json.load(archive.extractfile("package/package.json"))
            self._manifests[manifest["name"]] = (manifest, file.name)
        registry = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                registry._answer(self, upstream)

            def do_POST(self):  # of `npm audit`
                self.send_error(404)

            def log_message(self, *_):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self):
        self._server.shutdown()
        self._server.server_close()

    def _answer(self, request, upstream):
        path = urllib.parse.unquote(request.path).lstrip("/")
        if path.startswith("-/files/"):
            send(request, 200, self._files[path.rpartition("/")[2]], "application/octet-stream")
        elif path in self._manifests:
            self.asked.append(path)
            send(request, 200, json.dumps(self._packument(path)).encode(), "application/json")
        else:
            send(request, 302, b"", "text/plain", location=upstream.rstrip("/") + request.path)

    def _packument(self, name):
        manifest, file = self._manifests[name]
        data = self._files[file]
        dist = {"tarball": f"{self.url}-/files/{file}", "shasum": hashlib.sha1(data).hexdigest(),
                "integrity": "sha512-" + base64.b64encode(hashlib.sha512(data).digest()).decode()}
        return {"name": name, "dist-tags": {"latest": manifest["version"]}, "versions": {manifest["version"]: {**manifest, "dist": dist}}}


def send(request, status, body, kind, **headers):
    request.send_response(status)
    request.send_header("content-type", kind)
    request.send_header("content-length", str(len(body)))
    for name, value in headers.items():
        request.send_header(name, value)
    request.end_headers()
    request.wfile.write(body)
