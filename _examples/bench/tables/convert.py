"""Makes tables for the program beside it of the measurements of eleven systems.

    git clone https://github.com/ideas-labo/model4tune
    python3 convert.py model4tune/Data DIR [NAME...]

writes DIR/NAME.csv and DIR/NAME.space.json for each of the eleven tables, or for those
named. Columns of ones and zeros that exclude or need each other are one choice, columns of
one value are left out, and repeated rows are averaged. Most tables are grids, and what was
not measured fails; the others are samples, in which the nearest row counts.

Needs Python 3.8 or later, and nothing else.
"""

import argparse
import csv
import json
import os
import statistics


class Table:
    """What becomes of a file.

    numbers and ranges name columns of ordered values and of ints or floats in a range,
    joined the columns of ones and zeros that make one choice, by its name; every other
    column is a choice of its values. Rows for which skip returns true are left out.
    """

    def __init__(self, file, direction, sample=False, numbers=(), ranges=(), joined=None, without=(), skip=lambda row: False):
        self.file, self.direction, self.sample = file, direction, sample
        self.numbers, self.ranges, self.joined = numbers, ranges, joined or {}
        self.without, self.skip = without, skip

    def columns(self, rows, objective):
        """Yields the name, the kind and the function of a row of each parameter."""
        done = {objective, *self.without, *(column for columns in self.joined.values() for column in columns)}
        for column in rows[0]:
            if column not in done and len({row[column] for row in rows}) > 1:
                kind = "range" if column in self.ranges else "ordinal" if column in self.numbers else "categorical"
                yield column, kind, lambda row, column=column: row[column]
        for name, columns in self.joined.items():
            yield name, "categorical", lambda row, columns=columns: "+".join(c for c in columns if float(row[c])) or "none"


def number(text):
    value = float(text)
    return int(value) if value.is_integer() else value


def param(name, kind, values):
    """Returns the description of a parameter that had these values, which are text."""
    if kind == "categorical":
        return {"name": name, "type": kind, "choices": sorted(values)}
    numbers = sorted(map(number, values))
    if kind == "ordinal":
        return {"name": name, "type": kind, "values": numbers}
    of = "int" if all(isinstance(n, int) for n in numbers) else "float"
    return {"name": name, "type": of, "low": numbers[0], "high": numbers[-1]}


def convert(table, source, name, directory):
    with open(os.path.join(source, table.file), newline="") as f:
        rows = [row for row in csv.DictReader(f) if not table.skip(row)]
    objective = list(rows[0])[-1]
    columns = list(table.columns(rows, objective))
    measured = {}
    for row in rows:
        cell = tuple(of(row) for _, _, of in columns)
        measured.setdefault(cell, []).append(float(row[objective]))
    params = [param(column, kind, {cell[i] for cell in measured}) for i, (column, kind, _) in enumerate(columns)]
    with open(os.path.join(directory, name + ".space.json"), "w") as f:
        json.dump({
            "lookup": "nearest" if table.sample else "exact",
            "params": params,
            "objective": {"column": "value", "direction": table.direction},
        }, f, indent=1)
    with open(os.path.join(directory, name + ".csv"), "w", newline="") as f:
        out = csv.writer(f)
        out.writerow([p["name"] for p in params] + ["value"])
        for cell, values in measured.items():
            out.writerow([*cell, repr(statistics.fmean(values))])
    print(f"{name}: {len(params)} parameters, {len(measured)} configurations")


TABLES = {
    "apache": Table("Apache.csv", "maximize", numbers=("maxClients", "compressionLevel"), joined={
        "workers": ("prefork", "worker", "moreThreads", "moreProcesses"),
        "cipher": ("tlsAes128", "tlsAes256"),
    }, without=("compression", "noCompression")),
    "dconvert": Table("dconvert.csv", "minimize", numbers=("threads",), joined={
        "platform": ("android", "androidMipmapInsteadOfDrawable", "androidIncludeLdpiTvdpi", "ios", "iosCreateImagesetFolders", "web", "win"),
        "format": ("bmp", "gif", "jpeg", "png"),
        "rounding": ("floor", "ceil", "round"),
    }),
    "deeparch": Table("deeparch.csv", "minimize"),
    "exastencils": Table("exastencils.csv", "minimize",
        numbers=("opt_unroll", "poly_tileSize_x", "poly_tileSize_y", "poly_tileSize_z"),
        joined={"vectorization": ("opt_vectorize", "simd_avoidUnaligned", "data_alignFieldPointers")},
        without=("no_explorationId",), skip=lambda row: row["explorationId"] == "0"),  # these have one size of tiles
    "hadoop": Table("Hadoop.csv", "maximize", sample=True, ranges=(
        "mapreduce_task_io_sort_factor", "mapreduce_reduce_shuffle_merge_percent", "mapreduce_reduce_merge_inmem_threshold",
        "mapreduce_job_reduces", "mapreduce_map_sort_spill_percent", "mapreduce_reduce_shuffle_input_buffer_percent",
        "mapreduce_task_io_sort_mb",
    )),
    "mariadb": Table("MariaDB.csv", "minimize", numbers=("tempTableSize", "innodbBufferPoolSize", "innodbLogBufferSize"), joined={
        "log": ("delayedInnodbLogFlush", "delayedInnodbLogWrite"),
        "flush": ("fsyncFlush", "dsyncFlush", "directFlush"),
    }),
    "redis": Table("redis.csv", "maximize", sample=True, ranges=(
        "replBacklogSize", "hashMaxZiplistValue", "hashMaxZiplistEntries", "listMaxZiplistSize", "activeDefragIgnoreBytes",
        "activeDefragThresholdLower", "hllSparseMaxBytes", "hz",
    )),
    "sevenzip": Table("7z.csv", "minimize", numbers=("Files", "BlockSize", "x"), joined={
        "method": ("LZMA", "LZMA2", "PPMd", "BZip2", "Deflate"),
    }),
    "sqlite_features": Table("SQL.csv", "minimize", sample=True, joined={
        "temp_store": ("SQLITE_TEMP_STOREzero", "SQLITE_TEMP_STOREone", "SQLITE_TEMP_STOREtwo", "SQLITE_TEMP_STOREthree"),
        "auto_vacuum": ("AutoVacuumOff", "AutoVacuumOn"),
        "cache_size": ("StandardCacheSize", "LowerCacheSize", "HigherCacheSize"),
        "locking": ("ExclusiveLock", "NormalLockingMode"),
        "page_size": ("StandardPageSize", "LowerPageSize", "HigherPageSize", "HighestPageSize"),
    }, without=(  # headings of groups
        "OperatingSystemCharacteristics", "ChooseSQLITE_TEMP_STORE", "EnableFeatures", "DisableFeatures", "OmitFeatures",
        "Options", "SetAutoVacuum", "SetCacheSize", "LockingMode", "PageSize",
    )),
    "storm": Table("storm.csv", "maximize", sample=True),
    "xgboost": Table("xgboost.csv", "minimize"),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("source", help="directory of the measurements")
    parser.add_argument("directory", help="where to write the tables")
    parser.add_argument("names", nargs="*", metavar="name", help="of " + ", ".join(TABLES) + "; all by default")
    args = parser.parse_args()
    unknown = set(args.names) - set(TABLES)
    if unknown:
        parser.error("no table is named " + " or ".join(sorted(unknown)))
    os.makedirs(args.directory, exist_ok=True)
    for name in args.names or TABLES:
        convert(TABLES[name], args.source, name, args.directory)


if __name__ == "__main__":
    main()
