"""Fashion-MNIST from the files of its authors, in NumPy arrays."""

import gzip
import os

import numpy as np


def read_idx(path):
    """The array of bytes in a gzipped IDX file: a header of 0, 0, 8 (bytes) and
    the number of dimensions, then their sizes as big-endian 32-bit integers."""
    with gzip.open(path) as f:
        raw = f.read()
    if raw[:3] != b"\x00\x00\x08":
        raise ValueError("%s is no IDX file of bytes" % path)
    ndim = raw[3]
    shape = np.frombuffer(raw, ">u4", ndim, 4)
    return np.frombuffer(raw, np.uint8, offset=4 + 4 * ndim).reshape(shape)


def load(data, part):
    """Images (n, 28, 28) and labels (n,) of a part, "train" or "t10k"."""
    name = os.path.join(data, "images", "full", part + "-%s-idx%d-ubyte.gz")
    return read_idx(name % ("images", 3)), read_idx(name % ("labels", 1))


def shrink(images, side):
    """Images of side × side pixels, each the mean of a square, as floats from 0 to 1."""
    n, size, _ = images.shape
    if size % side:
        raise ValueError("images of %d pixels a side have no squares for %d" % (size, side))
    square = size // side
    return images.reshape(n, side, square, side, square).mean(axis=(2, 4), dtype=np.float32) / 255
