#!/usr/bin/env python3
"""Prints the lab file of a made application with so many entities and access patterns.

    bench/propose/applications.py ENTITIES PATTERNS [SEED]

The entities are the first ones of a trading company's. The seed draws how many there are of each, how large
they are, and which have a status. Each entity first gets the pattern that nobody can do without: children in
order of time, or itself by its identity. The other patterns are drawn from what such applications ask. Each
pattern can be served by a key. There are no layouts.
"""

import random
import sys

# Name, to which one it belongs, to which one it refers.
ENTITIES = [
    ("Customer", None, None), ("Order", "Customer", None), ("Line", "Order", "Product"), ("Product", None, None),
    ("Review", "Product", "Customer"), ("Supplier", None, None), ("Invoice", "Order", "Customer"), ("Payment", "Invoice", None),
    ("Ticket", "Customer", "Order"), ("Message", "Ticket", "Employee"), ("Employee", None, None), ("Warehouse", None, None),
    ("Shipment", "Order", "Warehouse"), ("Parcel", "Shipment", None), ("Shift", "Employee", "Warehouse"), ("Delivery", "Supplier", "Product"),
    ("Campaign", None, "Product"), ("Coupon", "Campaign", "Customer"), ("Return", "Order", "Customer"), ("Inspection", "Warehouse", "Employee"),
]
LEAST_KINDS = 5  # of patterns that an entity has at least
READ, RARE_READ, WRITE = (1, 300), (0.2, 5), (0.2, 30)  # the least and the greatest calls a second


class Entity:
    def __init__(self, draw, name, parent, reference):
        self.name, self.parent, self.reference = name, parent, reference
        self.has_children = False
        self.status = draw.choice(["OPEN", "ACTIVE", "PENDING"]) if draw.random() < 0.6 else None
        self.count = draw.choice(["{zipf: 0.7, mean: 4, max: 200}", "{poisson: 3}", "[1, 10]"] if parent else [1000, 5000, 20000])
        self.note_bytes = draw.choice([40, 150, 600])

    def text(self):
        of = f"    of: {self.parent}\n" if self.parent else ""
        reference = f"      {reference_of(self)}: {{ref: {self.reference}.{id_of(self.reference)}}}\n" if self.reference else ""
        status = f"      status: {{choice: {{{self.status}: 5, DONE: 95}}}}\n" if self.status else ""
        return (f"  {self.name}:\n{of}    count: {self.count}\n    attributes:\n"
                f"      {id_of(self.name)}: {{ulid: {time_of(self)}}}\n      {time_of(self)}: {{time: {{past: 365d}}}}\n{reference}{status}"
                f"      title: {{text: [8, 24]}}\n      amount: {{number: [1, 9999]}}\n"
                f"      note: {{text: [{self.note_bytes // 2}, {self.note_bytes}]}}\n")


def id_of(name):
    return f"{name.lower()}_id"


def time_of(entity):
    return f"{entity.name.lower()}_at"


def reference_of(entity):
    return f"for_{id_of(entity.reference)}"


def first_pattern(entity):
    """Returns a name, what is asked, and between which rates."""
    if not entity.parent:
        return (f"{entity.name} by id", f"get: {entity.name}, by: [{id_of(entity.name)}]", READ)
    return (f"{entity.name} of {entity.parent}",
            f"query: {entity.name}, by: [{id_of(entity.parent)}], order: -{time_of(entity)}, limit: 20", READ)


def further_patterns(entity):
    name, by_id = entity.name, f"by: [{id_of(entity.name)}]"
    found = f"returns: [{id_of(name)}, title]"
    yield (f"create {name}", f"create: {name}", WRITE)
    yield (f"change {name}", f"update: {name}, {by_id}, set: {{amount: {{number: [1, 9999]}}}}", WRITE)
    yield (f"title of {name}", f"get: {name}, {by_id}, returns: [title]", READ)
    if not entity.has_children:
        yield (f"delete {name}", f"delete: {name}, {by_id}", WRITE)
    if entity.parent:
        yield (f"{name} by id", f"get: {name}, {by_id}", READ)
        yield (f"{entity.parent} with its {name}", f"query: [{entity.parent}, {name}], by: [{id_of(entity.parent)}]", READ)
    else:
        yield (f"newest {name}", f"query: {name}, order: -{time_of(entity)}, limit: 20, {found}", RARE_READ)
    if entity.reference:
        yield (f"{name} for {entity.reference}",
               f"query: {name}, by: [{reference_of(entity)}], order: -{time_of(entity)}, limit: 20, {found}", READ)
    if entity.status:
        yield (f"{entity.status.lower()} {name}",
               f"query: {name}, by: [{{status: {entity.status}}}], order: {time_of(entity)}, limit: 25, {found}", RARE_READ)
        yield (f"finish {name}", f"update: {name}, {by_id}, set: {{status: DONE}}", WRITE)


def lab_file(entities, patterns, seed=1):
    draw = random.Random(f"{entities} {patterns} {seed}")
    names = [name for name, _, _ in ENTITIES[:entities]]
    made = [Entity(draw, name, parent, reference if reference in names else None) for name, parent, reference in ENTITIES[:entities]]
    for entity in made:
        entity.has_children = any(other.parent == entity.name for other in made)
    further = [pattern for entity in made for pattern in further_patterns(entity)]
    asked = [first_pattern(entity) for entity in made] + draw.sample(further, patterns - entities)
    return (f"# A made application: {entities} entities, {patterns} access patterns, seed {seed}.\nlab: 1\nentities:\n"
            + "".join(entity.text() for entity in made) + "access_patterns:\n"
            + "".join(f"  {name}: {{{asks}, rate: {rate_between(draw, *bounds)}/s}}\n" for name, asks, bounds in asked))


def rate_between(draw, least, greatest):
    """Returns calls a second, so that few patterns have most of the calls."""
    return f"{least * (greatest / least) ** draw.random():.3g}"


if __name__ == "__main__":
    numbers = [int(text) for text in sys.argv[1:] if text.isdigit()]
    if len(numbers) not in (2, 3) or len(numbers) != len(sys.argv) - 1 or \
            not 1 <= numbers[0] <= len(ENTITIES) or not numbers[0] <= numbers[1] <= LEAST_KINDS * numbers[0]:
        sys.exit(f"usage: bench/propose/applications.py ENTITIES PATTERNS [SEED], at most {len(ENTITIES)} entities, "
                 f"and 1 to {LEAST_KINDS} patterns for each")
    sys.stdout.write(lab_file(*numbers))
