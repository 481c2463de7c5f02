"""Error and size of a convolutional network on Fashion-MNIST.

A worker of package bridge. Setup: {"data": directory, "side": of an image in
pixels, "train" and "valid": numbers of images, "channels": of the blocks,
"epochs", "batch", "repeats", "augment", "threads"}. Request: the values of the
problem's parameters. Result: validation error + 0.02 FLOPs / (most FLOPs of any
architecture).

A network is a convolution and a stack of equal blocks (Supp. Sec. 3.2). A block
takes two inputs, S-1 and S0, and has four states; each is the sum of two
operations, one on each of two earlier states. Its two outputs are S4 and one of
S1, S2, S3. What no output depends on is left out.

As in the authors' code, which the paper does not tell: a convolution comes after
batch normalisation and ReLU; a separable one has 4 groups; the first
convolution has 16 channels; augmentation is a random crop of the image with a
margin of 4, and a random mirror image.
"""

import bridge

STATES = 4
STEM_CHANNELS = 16
GROUPS = 4
CLASSES = 10
FLOPS_WEIGHT = 0.02
VALIDATION_POOL = 30000  # of the 60,000 images for training

# Kind, size and groups of each operation.
OPERATIONS = {
    "id": ("id", 1, 1),
    "conv1x1": ("conv", 1, 1),
    "conv3x3": ("conv", 3, 1),
    "conv5x5": ("conv", 5, 1),
    "sep3x3": ("conv", 3, GROUPS),
    "sep5x5": ("conv", 5, GROUPS),
    "max3x3": ("max", 3, 1),
    "max5x5": ("max", 5, 1),
}


class Architecture:
    """The states of a block that its outputs depend on."""

    def __init__(self, values):
        states = {}
        for k in range(1, STATES + 1):
            inputs = values["inputs%d" % k].split(",") if k > 1 else (-1, 0)
            states[k] = [(int(i), values["op%d%s" % (k, side)]) for i, side in zip(inputs, "ab")]
        self.outputs = (int(values["output"].split(",")[0]), STATES)
        live = set(self.outputs)
        for k in range(STATES, 0, -1):
            if k in live:
                live.update(i for i, _ in states[k])
        self.states = {k: terms for k, terms in states.items() if k in live}

    @staticmethod
    def largest():
        """The architecture with the most FLOPs: a chain that needs every state."""
        values = {"op%d%s" % (k, side): "conv5x5" for k in range(1, STATES + 1) for side in "ab"}
        values.update({"inputs%d" % k: "%d,%d" % (k - 2, k - 1) for k in range(2, STATES + 1)})
        values["output"] = "%d,%d" % (STATES - 1, STATES)
        return Architecture(values)


def sides(setup):
    """Width of the images in each block: halved between blocks, by pooling with a margin of 1."""
    result = [setup["side"]]
    while len(result) < len(setup["channels"]):
        result.append(result[-1] // 2 + 1)
    return result


def flops(architecture, setup):
    """Multiplications and additions, or comparisons, for one image."""
    channels, widths = setup["channels"], sides(setup)
    total = 2 * 9 * STEM_CHANNELS * widths[0] ** 2
    before = STEM_CHANNELS
    for c, width in zip(channels, widths):
        pixels = width**2
        total += 2 * 2 * before * c * pixels  # a 1x1 convolution of each input
        for terms in architecture.states.values():
            total += c * pixels  # the sum
            for _, name in terms:
                kind, size, groups = OPERATIONS[name]
                if kind == "conv":
                    total += (2 * size**2 * c // groups + 3) * c * pixels  # with normalisation and ReLU
                elif kind == "max":
                    total += size**2 * c * pixels
        before = c
    pixels = (widths[-1] // 2) ** 2
    return total + 2 * 2 * before * before * pixels + 2 * before * pixels * CLASSES


def build(architecture, setup):
    import torch
    from torch import nn
    from torch.nn import functional

    def conv(inputs, outputs, size, groups=1):
        return nn.Conv2d(inputs, outputs, size, padding=size // 2, groups=groups)

    def operation(name, channels):
        kind, size, groups = OPERATIONS[name]
        if kind == "conv":
            return nn.Sequential(nn.BatchNorm2d(channels), nn.ReLU(), conv(channels, channels, size, groups))
        return nn.MaxPool2d(size, stride=1, padding=size // 2) if kind == "max" else nn.Identity()

    class Block(nn.Module):
        def __init__(self, before, channels):
            super().__init__()
            self.inputs = nn.ModuleList(conv(before, channels, 1) for _ in range(2))
            self.operations = nn.ModuleDict(
                {
                    str(k): nn.ModuleList(operation(name, channels) for _, name in terms)
                    for k, terms in architecture.states.items()
                }
            )

        def forward(self, a, b):
            states = {-1: self.inputs[0](a), 0: self.inputs[1](b)}
            for k, terms in architecture.states.items():
                first, second = self.operations[str(k)]
                states[k] = first(states[terms[0][0]]) + second(states[terms[1][0]])
            return [states[k] for k in architecture.outputs]

    class Network(nn.Module):
        def __init__(self):
            super().__init__()
            self.stem = conv(1, STEM_CHANNELS, 3)
            widths = [STEM_CHANNELS] + setup["channels"]
            self.blocks = nn.ModuleList(Block(a, b) for a, b in zip(widths, widths[1:]))
            last = widths[-1]
            self.join = conv(2 * last, last, 1)
            self.norm = nn.BatchNorm2d(last)
            self.classify = nn.Linear(last * (sides(setup)[-1] // 2) ** 2, CLASSES)
            for m in self.modules():
                if isinstance(m, (nn.Conv2d, nn.Linear)):
                    nn.init.kaiming_normal_(m.weight)
                    nn.init.zeros_(m.bias)

        def forward(self, x):
            a = b = self.stem(x)
            for i, block in enumerate(self.blocks):
                if i > 0:
                    a, b = (functional.max_pool2d(s, 2, padding=1) for s in (a, b))
                a, b = block(a, b)
            joined = torch.cat([functional.max_pool2d(s, 2) for s in (a, b)], dim=1)
            return self.classify(self.norm(functional.relu(self.join(joined))).flatten(1))

    return Network().to(memory_format=torch.channels_last)  # half the time, on a CPU


def learning_rate(values, progress):
    """The rate when a share of the training is done (Supp. Table 2)."""
    import math

    rate, factor = math.exp(values["log_learning_rate"]), values["reduction_factor"]
    first = values["reduction_point1"]
    second = first + (1 - first) * values["reduction_point2"]
    return rate * factor ** ((progress >= first) + (progress >= second))


def augmented(images, generator):
    """Each image moved by up to 4 pixels in both directions, half of them mirrored."""
    import torch
    from torch.nn import functional

    n, _, side, _ = images.shape
    margin = 4
    padded = functional.pad(images, [margin] * 4)
    shift = torch.randint(0, 2 * margin + 1, (2, n, 1), generator=generator)
    rows = shift[0] + torch.arange(side)
    columns = shift[1] + torch.arange(side)
    mirrored = torch.rand(n, 1, generator=generator) < 0.5
    columns = torch.where(mirrored, columns.flip(1), columns)
    return padded[torch.arange(n)[:, None, None], 0, rows[:, :, None], columns[:, None, :]][:, None]


def validation_error(architecture, values, setup, train, valid, seed):
    """Share of wrong answers after training from one random initialisation."""
    import math

    import torch
    from torch.nn import functional

    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    model = build(architecture, setup)
    optimizer = torch.optim.SGD(
        model.parameters(), lr=0.0, momentum=values["momentum"], weight_decay=math.exp(values["log_weight_decay"])
    )
    images, labels = train
    steps = 0
    total = setup["epochs"] * math.ceil(len(labels) / setup["batch"])
    for _ in range(setup["epochs"]):
        for rows in torch.randperm(len(labels), generator=generator).split(setup["batch"]):
            for group in optimizer.param_groups:
                group["lr"] = learning_rate(values, steps / total)
            batch = augmented(images[rows], generator) if setup["augment"] else images[rows]
            optimizer.zero_grad()
            functional.cross_entropy(model(batch), labels[rows]).backward()
            optimizer.step()
            steps += 1
    model.eval()
    images, labels = valid
    with torch.no_grad():
        wrong = sum((model(x).argmax(1) != y).sum().item() for x, y in zip(images.split(500), labels.split(500)))
    return wrong / len(labels)


def load(setup):
    """Pairs of images and labels, to train and to validate on: from the two
    halves of the training images in a fixed random order."""
    import numpy as np
    import torch

    import fashion

    images, labels = fashion.load(setup["data"], "train")
    order = np.random.RandomState(0).permutation(len(labels))
    pool = min(VALIDATION_POOL, len(labels) // 2)
    rows = order[:-pool][: setup["train"]], order[-pool:][: setup["valid"]]
    small = [fashion.shrink(images[r], setup["side"]) for r in rows]
    mean, deviation = small[0].mean(), small[0].std()
    return [
        (torch.from_numpy((x - mean) / deviation)[:, None], torch.from_numpy(labels[r].astype(np.int64)))
        for x, r in zip(small, rows)
    ]


def start(setup):
    import numpy as np
    import torch

    torch.set_num_threads(setup["threads"])
    train, valid = load(setup)
    most = flops(Architecture.largest(), setup)

    def evaluate(values):
        architecture = Architecture(values)
        errors = [
            validation_error(architecture, values, setup, train, valid, seed) for seed in range(setup["repeats"])
        ]
        return float(np.mean(errors)) + FLOPS_WEIGHT * flops(architecture, setup) / most

    return {"torch": torch.__version__, "train": len(train[1]), "valid": len(valid[1])}, evaluate


if __name__ == "__main__":
    bridge.serve(start, packages={"numpy": "numpy", "torch": "torch"})
