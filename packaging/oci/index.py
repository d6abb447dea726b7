"""Finishes a layout of images, one a tag and architecture, as umoci makes it.

    python3 packaging/oci/index.py LAYOUT VERSION IMAGE

Adds the health check to each image, puts all images into one index with the tag VERSION, and removes the blobs that
nothing refers to. umoci does none of these. The OCI specification has no health check: `Healthcheck` is Docker's member
of the configuration, and others ignore it.

Also writes manifest.json, which names the first image. `docker load` reads that file where Docker keeps its images in its
own store, and index.json where Docker keeps them in containerd's.
"""

import hashlib
import json
import pathlib
import sys

INDEX = "application/vnd.oci.image.index.v1+json"
SECOND_NS = 1_000_000_000
HEALTHCHECK = {"Test": ["CMD", "hashrange", "healthcheck"], "Interval": SECOND_NS, "Timeout": 2 * SECOND_NS, "Retries": 30}


def main():
    layout, version, image = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    tags = json.loads((layout / "index.json").read_text())["manifests"]
    images = [finish_image(layout, tag["digest"]) for tag in tags]
    index = put(layout, INDEX, {"schemaVersion": 2, "mediaType": INDEX, "manifests": images})
    index["annotations"] = {"org.opencontainers.image.ref.name": version, "io.containerd.image.name": f"{image}:{version}"}
    (layout / "index.json").write_text(json.dumps({"schemaVersion": 2, "mediaType": INDEX, "manifests": [index]}))
    write_docker_manifest(layout, images[0], f"{image.removeprefix('docker.io/')}:{version}")
    remove_others(layout, used_by(layout, index))


def write_docker_manifest(layout, image, name):
    manifest = get(layout, image["digest"])
    paths = [f"blobs/{part['digest'].replace(':', '/')}" for part in [manifest["config"], *manifest["layers"]]]
    (layout / "manifest.json").write_text(json.dumps([{"Config": paths[0], "RepoTags": [name], "Layers": paths[1:]}]))


def finish_image(layout, digest):
    """Writes the image with a health check. Returns its descriptor, with the platform."""
    manifest = get(layout, digest)
    config = get(layout, manifest["config"]["digest"])
    config["config"]["Healthcheck"] = HEALTHCHECK
    manifest["config"] |= put(layout, manifest["config"]["mediaType"], config)
    manifest["mediaType"] = "application/vnd.oci.image.manifest.v1+json"
    platform = {"architecture": config["architecture"], "os": config["os"]}
    return put(layout, manifest["mediaType"], manifest) | {"platform": platform}


def blob(layout, digest):
    return layout / "blobs" / digest.replace(":", "/")


def get(layout, digest):
    return json.loads(blob(layout, digest).read_text())


def put(layout, media_type, value):
    """Writes the value as a blob. Returns its descriptor."""
    data = json.dumps(value, sort_keys=True).encode()
    digest = f"sha256:{hashlib.sha256(data).hexdigest()}"
    blob(layout, digest).write_bytes(data)
    return {"mediaType": media_type, "digest": digest, "size": len(data)}


def used_by(layout, index):
    digests = {index["digest"]}
    for image in get(layout, index["digest"])["manifests"]:
        manifest = get(layout, image["digest"])
        digests |= {image["digest"], manifest["config"]["digest"], *(layer["digest"] for layer in manifest["layers"])}
    return digests


def remove_others(layout, digests):
    for path in (layout / "blobs/sha256").iterdir():
        if f"sha256:{path.name}" not in digests:
            path.unlink()


main()
