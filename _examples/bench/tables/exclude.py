"""Makes tables in which values rule each other out, of tables that are grids.

    python3 exclude.py TABLES DIR NAME...

takes each table NAME of the directory TABLES and writes DIR/NAME_x0 and DIR/NAME_x1: all
rows with two values drawn at random, of two parameters, are left out, and with two others,
until between 35 and 65 % of the rows are left, as drawn, or less than a quarter would be.

Needs Python 3.8 or later, and nothing else.
"""

import argparse
import csv
import json
import os
import random


def read(directory, name):
    with open(os.path.join(directory, name + ".space.json")) as f:
        space = json.load(f)
    with open(os.path.join(directory, space.get("csv", name + ".csv")), newline="") as f:
        return space, list(csv.DictReader(f))


def exclude(rows, params, rng):
    """Returns the rows that are left."""
    left, share = rows, rng.uniform(0.35, 0.65)
    while len(left) > share * len(rows):
        a, b = rng.sample(params, 2)
        u, v = (rng.choice(sorted({row[param] for row in rows})) for param in (a, b))
        fewer = [row for row in left if row[a] != u or row[b] != v]
        if len(fewer) < len(rows) / 4:
            break
        left = fewer
    return left


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("tables", help="directory of the tables")
    parser.add_argument("directory", help="where to write those made of them")
    parser.add_argument("names", nargs="+", metavar="name", help="a table that is a grid")
    args = parser.parse_args()
    os.makedirs(args.directory, exist_ok=True)
    for name in args.names:
        space, rows = read(args.tables, name)
        for i in range(2):
            left = exclude(rows, [param["name"] for param in space["params"]], random.Random(f"{name}{i}"))
            made = f"{name}_x{i}"
            with open(os.path.join(args.directory, made + ".space.json"), "w") as f:
                json.dump({"lookup": "exact", "params": space["params"], "objective": space["objective"]}, f, indent=1)
            with open(os.path.join(args.directory, made + ".csv"), "w", newline="") as f:
                out = csv.DictWriter(f, fieldnames=list(rows[0]))
                out.writeheader()
                out.writerows(left)
            print(f"{made}: {len(left)} of {len(rows)} configurations")


if __name__ == "__main__":
    main()
