"""What a copy goes from and to: servers, files, and what they have."""

import json
import os
import subprocess
import urllib.request

import boto3
import botocore.config

PROGRAM = os.environ.get("CONFORMANCE_SERVER")
TIMEOUT_S = 120


class Server:
    """A server that has written its ready line. All accounts and Regions share one set of tables, unless `shared` is false."""

    def __init__(self, *arguments, shared=True):
        reader, writer = os.pipe()
        self.process = subprocess.Popen(
            [PROGRAM, "serve", *(["--shared"] if shared else []), *([] if "--port" in arguments else ["--port", "0"]),
             "--ready-fd", str(writer), *arguments],
            pass_fds=[writer], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(writer)
        with os.fdopen(reader) as ready:
            self.endpoint = json.loads(ready.read())["endpoint"]
        self.name = f"{self.endpoint} (us-east-1)"  # in sentences
        config = botocore.config.Config(retries={"total_max_attempts": 1})
        self.client = boto3.client("dynamodb", endpoint_url=self.endpoint, region_name="us-east-1",
                                   aws_access_key_id="111122223333", aws_secret_access_key="secret", config=config)

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
        self.process.communicate(timeout=TIMEOUT_S)

    def control(self, path, body):
        request = urllib.request.Request(f"{self.endpoint}/_hashrange/{path}", json.dumps(body).encode(), method="POST")
        with urllib.request.urlopen(request, timeout=TIMEOUT_S) as answer:
            return json.load(answer)

    def items(self, table):
        """All items by their keys."""
        found = {}
        for page in self.client.get_paginator("scan").paginate(TableName=table, ConsistentRead=True):
            for item in page["Items"]:
                found[json.dumps([item["PK"], item.get("SK")], sort_keys=True)] = item
        return found

    def description(self, table):
        """What describes the table, without what differs between any two tables."""
        described = self.client.describe_table(TableName=table)["Table"]
        for name in ("TableId", "CreationDateTime", "LatestStreamArn", "LatestStreamLabel"):
            described.pop(name, None)
        summary = described.get("BillingModeSummary", {})
        summary.pop("LastUpdateToPayPerRequestDateTime", None)
        described.get("TableClassSummary", {}).pop("LastUpdateDateTime", None)
        return described


DEFINITION = {
    "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [{"AttributeName": "PK", "AttributeType": "S"}, {"AttributeName": "SK", "AttributeType": "N"},
                             {"AttributeName": "kind", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"}],
    "GlobalSecondaryIndexes": [{"IndexName": "byKind", "Projection": {"ProjectionType": "KEYS_ONLY"},
                                "KeySchema": [{"AttributeName": "kind", "KeyType": "HASH"}]}],
}


def write_seed(folder, table, items, text_bytes=420):
    """Writes the definition and about 500 bytes an item, as files of a seed."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{table}.table.json").write_text(json.dumps(DEFINITION))
    with open(folder / f"{table}.json", "w", encoding="utf-8") as file:
        for number in range(items):
            item = {"PK": {"S": f"USER#{number % 997}"}, "SK": {"N": str(number)}, "text": {"S": "x" * text_bytes},
                    "tags": {"SS": ["b", "a"]}}
            if number % 10 == 0:
                item["kind"] = {"S": f"kind {number % 7}"}
            file.write(json.dumps({"Item": item}) + "\n")
    return folder


def copy(*arguments, **options):
    """Runs `hashrange copy` to its end. Returns its exit code, stdout and stderr."""
    done = subprocess.run([PROGRAM, "copy", *map(str, arguments)], capture_output=True, text=True, timeout=TIMEOUT_S,
                          check=False, **options)
    return done.returncode, done.stdout, done.stderr


def start_copy(*arguments, **options):
    return subprocess.Popen([PROGRAM, "copy", *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            **options)
