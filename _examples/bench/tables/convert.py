"""Makes tables for the program beside it of published measurements of systems.

    git clone https://github.com/ideas-labo/model4tune
    git clone https://github.com/anonymous12138/multiobj
    git clone https://github.com/DeepPerf/DeepPerf
    git clone https://github.com/aspuru-guzik-group/olympus
    git clone https://github.com/AutoTuningAssociation/benchmark_hub
    python3 convert.py model4tune/Data DIR [NAME...]

writes DIR/NAME.csv and DIR/NAME.space.json for each of the tables whose measurements the
directory has, or for those named. The next two have a Data as well, the measurements of the
fourth are in olympus/src/olympus/datasets, those of the fifth in all of it. Columns of ones
and zeros that exclude or need each other are one choice, columns of one value are left out,
and repeated rows are averaged. Most tables are grids, and what was not measured fails; the
others are samples, in which the nearest row counts.

Needs Python 3.8 or later, and nothing else.
"""

import argparse
import csv
import gzip
import json
import os
import statistics


class Table:
    """What becomes of a file.

    numbers and ranges name columns of ordered values and of ints or floats in a range,
    joined the columns of ones and zeros that make one choice, by its name; every other
    column is a choice of its values. The objective is the last column unless one is named;
    those that begin with < are all objectives. Rows for which skip returns true are left out.
    """

    def __init__(self, file, direction, objective=None, sample=False, numbers=(), ranges=(), joined=None, without=(), skip=lambda row: False):
        self.file, self.direction, self.objective, self.sample = file, direction, objective, sample
        self.numbers, self.ranges, self.joined = numbers, ranges, joined or {}
        self.without, self.skip = without, skip

    def rows(self, source):
        """Returns the rows of the file, each a dict of text by column."""
        with open(os.path.join(source, self.file), newline="") as f:
            return list(csv.DictReader(f))

    def columns(self, rows, objective):
        """Yields the name, the kind and the function of a row of each parameter."""
        done = {objective, *self.without, *(column for columns in self.joined.values() for column in columns)}
        for column in rows[0]:
            if column not in done and not column.startswith("<") and len({row[column] for row in rows}) > 1:
                kind = "range" if column in self.ranges else "ordinal" if column in self.numbers else "categorical"
                yield column, kind, lambda row, column=column: row[column]
        for name, columns in self.joined.items():
            yield name, "categorical", lambda row, columns=columns: "+".join(c for c in columns if float(row[c])) or "none"


class Experiment(Table):
    """A data set of Olympus: a file without a head, and a description of its columns."""

    def __init__(self, name, direction, objective, **more):
        super().__init__(os.path.join("dataset_" + name, "data.csv"), direction, objective, **more)

    def rows(self, source):
        path = os.path.join(source, self.file)
        with open(os.path.join(os.path.dirname(path), "config.json")) as f:
            config = json.load(f)
        parameters = [parameter["name"] for parameter in config["parameters"]]
        measured = [m["name"] for m in config["measurements"]].index(self.objective) + len(parameters)
        with open(path, newline="") as f:
            return [{**dict(zip(parameters, row)), self.objective: row[measured]} for row in csv.reader(f) if row]


class Kernel(Table):
    """What Kernel Tuner has measured of each configuration, or why it failed."""

    def rows(self, source):
        path = os.path.join(source, self.file)
        with (gzip.open if path.endswith(".gz") else open)(path, "rt") as f:
            found = json.load(f)
        columns = [*found["tune_params_keys"], found["objective"]]
        runs = (run for run in found["cache"].values() if not isinstance(run[columns[-1]], str))
        return [{column: str(run[column]) for column in columns} for run in runs]


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
    rows = [row for row in table.rows(source) if not table.skip(row)]
    objective = table.objective or list(rows[0])[-1]
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


# What the tables of two objectives of one system share.
HSQLDB = dict(joined={
    "encryption": ("crypt_aes", "crypt_blowfish"),
    "txc": ("txc_mvlocks", "txc_mvcc", "txc_locks"),
    "table": ("memory_tables", "cached_tables", "small_cache", "large_cache"),
    "log": ("logging", "detailed_logging", "no_write_delay", "small_log"),
}, without=("encryption",))
LRZIP = dict(numbers=("level", "processorCount", "maxRam"), joined={
    "method": ("compressionBzip2", "compressionGzip", "compressionLzo", "compressionZpaq", "compressionLzma"),
}, without=("compression",))
SORT = dict(numbers=("$spouts", "$max_spout", "$sorters", "$emit_freq", "$chunk_size", "$message_size"))
VIDEO = {"q": ("bestQuality", "goodQuality", "rtQuality"), "ref": ("autoAltRef", "noAltRef")}
VP8 = dict(numbers=("threads", "tokenParts", "arnrMaxFrames", "arnrStrength"), joined=VIDEO)
VP9 = dict(numbers=("threads", "arnrMaxFrames", "arnrStrength"), joined=VIDEO)
X264 = dict(joined={
    "lookahead": ("rc_lookahead_20", "rc_lookahead_40", "rc_lookahead_60"),
    "refs": ("ref_1", "ref_5", "ref_9"),
    "cores": ("core1", "core2", "core3", "core4"),
})

BLOCKS = dict(numbers=("block_size_x", "block_size_y", "tile_size_x", "tile_size_y"))
TUNED = "hyperparametertuning/cachefiles/hyperparamtuning_paper_bruteforce_%s.json"
LIPIDS = dict(numbers=("drug_input", "solid_lipid_input", "liquid_lipid_input", "surfractant_input"))

TABLES = {
    # of ideas-labo/model4tune
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
    # of anonymous12138/multiobj
    "hsqldb_cpu": Table("SS-A.csv", "minimize", "<$benchmark-cpu", **HSQLDB),
    "hsqldb_energy": Table("SS-A.csv", "minimize", "<$benchmark-energy", **HSQLDB),
    "llvm_memory": Table("SS-C.csv", "minimize", "<$b"),
    "llvm16": Table("SS-J.csv", "minimize", "<$performance"),
    "llvm16_cpu": Table("SS-J.csv", "minimize", "<$cpu"),
    "lrzip": Table("SS-G.csv", "minimize", "<$performance", **LRZIP),
    "lrzip_cpu": Table("SS-G.csv", "minimize", "<$benchmark-cpu", **LRZIP),
    "sort_latency": Table("SS-F.csv", "minimize", "<$latency", **SORT),
    "sort_throughput": Table("SS-F.csv", "maximize", "<$throughput", **SORT),
    "vp8": Table("SS-D.csv", "minimize", "<$performance", **VP8),
    "vp8_energy": Table("SS-D.csv", "minimize", "<$energy", **VP8),
    "vp9": Table("SS-E.csv", "minimize", "<$performance", **VP9),
    "vp9_cpu": Table("SS-E.csv", "minimize", "<$cpu", **VP9),
    "x264": Table("SS-H.csv", "minimize", "<$benchmark-iperf", **X264),
    "x264_cpu": Table("SS-H.csv", "minimize", "<$benchmark-cpu", **X264),
    # of DeepPerf/DeepPerf
    "bdbj": Table("BDBJ_AllNumeric.csv", "minimize", joined={
        "io": ("OldIO", "NIOBase", "NIOType", "ChunkedNIO", "SingleWriteNIO", "DirectNIO"),
        "size": ("S100MiB", "S1MiB"),
        "level": ("Severe", "Finest"),
    }, without=("NewIO", "Tracing", "TracingLevel")),
    "dune": Table("Dune_AllNumeric.csv", "minimize", numbers=("cells", "post", "pre"), joined={
        "solver": ("CGSolver", "BiCGSTABSolver", "LoopSolver", "GradientSolver"),
        "precon": ("SeqSOR", "SeqGS"),
    }),
    "llvm": Table("LLVM_AllNumeric.csv", "minimize"),
    # of aspuru-guzik-group/olympus
    **{"buchwald_" + x: Experiment("buchwald_" + x, "maximize", "yield") for x in "abcde"},
    "crossed_barrel": Experiment("crossed_barrel", "maximize", "toughness", numbers=("n", "theta", "r", "t")),
    "dye_lasers_overlap": Experiment("dye_lasers", "minimize", "spectral_overlap"),
    "dye_lasers_peak": Experiment("dye_lasers", "maximize", "peak_score"),
    "dye_lasers_rate": Experiment("dye_lasers", "maximize", "fluo_rate"),
    "lipids_diameter": Experiment("lnp3", "minimize", "particle_diameter", **LIPIDS),
    "lipids_efficiency": Experiment("lnp3", "maximize", "encap_efficiency", **LIPIDS),
    "lipids_loading": Experiment("lnp3", "maximize", "drug_loading", **LIPIDS),
    "photovoltaic": Experiment("mmli_opv", "maximize", "PredictedSO"),
    "redoxmers_absorption": Experiment("redoxmers", "minimize", "abs_lam_diff"),
    "redoxmers_reduction": Experiment("redoxmers", "minimize", "ered"),
    "redoxmers_solvation": Experiment("redoxmers", "minimize", "gsol"),
    "suzuki": Experiment("suzuki_edbo", "maximize", "yield"),
    # of AutoTuningAssociation/benchmark_hub
    "convolution_2080ti": Kernel("currently_unused/cachefiles/convolution/RTX_2080_Ti.json.gz", "minimize", **BLOCKS),
    "convolution_3090": Kernel("currently_unused/cachefiles/convolution/RTX_3090.json.gz", "minimize", **BLOCKS),
    "convolution_a100": Kernel("cachefiles/convolution_milo/A100.json.gz", "minimize", **BLOCKS),
    "convolution_mi250x": Kernel("cachefiles/convolution_milo/MI250X.json.gz", "minimize", **BLOCKS),
    "dedispersion_a100": Kernel("cachefiles/dedispersion_milo/A100.json.gz", "minimize", **BLOCKS),
    "dedispersion_w6600": Kernel("cachefiles/dedispersion_milo/W6600.json.gz", "minimize", **BLOCKS),
    "pnpoly_2080ti": Kernel("currently_unused/cachefiles/pnpoly/RTX_2080_Ti.json.gz", "minimize", numbers=("block_size_x", "tile_size")),
    "tune_annealing": Kernel(TUNED % "simulated_annealing", "maximize", numbers=("T", "T_min", "alpha", "maxiter")),
    "tune_evolution": Kernel(TUNED % "diff_evo", "maximize", numbers=("popsize", "maxiter")),
    "tune_fireflies": Kernel(TUNED % "firefly_algorithm", "maximize", numbers=("popsize", "maxiter", "B0", "gamma", "alpha")),
    "tune_swarm": Kernel(TUNED % "pso", "maximize", numbers=("popsize", "maxiter", "c1", "c2")),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("source", help="directory of the measurements")
    parser.add_argument("directory", help="where to write the tables")
    parser.add_argument("names", nargs="*", metavar="name", help="of " + ", ".join(TABLES) + "; by default all that the source has")
    args = parser.parse_args()
    unknown = set(args.names) - set(TABLES)
    if unknown:
        parser.error("no table is named " + " or ".join(sorted(unknown)))
    os.makedirs(args.directory, exist_ok=True)
    for name in args.names or (n for n, table in TABLES.items() if os.path.exists(os.path.join(args.source, table.file))):
        convert(TABLES[name], args.source, name, args.directory)


if __name__ == "__main__":
    main()
