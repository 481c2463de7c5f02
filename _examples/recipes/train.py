import json, math, sys

params = json.load(sys.stdin)
loss = (math.log10(params["rate"]) + 2) ** 2 + 0.2 * abs(params["layers"] - 3)
print("training with", params, file=sys.stderr)
print(loss)  # the last line of standard output
