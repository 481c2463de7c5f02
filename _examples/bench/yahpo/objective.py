"""Predicts what a learner with given settings reaches, by a network of YAHPO Gym.

The setup names the directory and the file of the network, and its inputs and outputs in their order.
A request is {"configs": [{name: value}, ...], "target": name}; what a configuration does
not have is absent. The result has null where the network overflows. Needs ONNX Runtime.
"""

import json
import math
import os

import bridge

ABSENT = "#na#"  # of a categorical input; a number is 0 then


def start(setup):
    import numpy
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    model = os.path.join(setup["directory"], setup["model"])
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    with open(os.path.join(setup["directory"], "encoding.json"), encoding="utf-8") as file:
        codes = json.load(file)
    output = session.get_outputs()[0].name

    def predict(request):
        column = setup["targets"].index(request["target"])
        values = (float(outputs(config)[column]) for config in request["configs"])
        return [value if math.isfinite(value) else None for value in values]

    def outputs(config):  # some networks take one row only
        categorical = [codes[name][config.get(name, ABSENT)] for name in setup["categorical"]]
        numbers = [config.get(name, 0) for name in setup["numbers"]]
        inputs = {"x_cat": numpy.array([categorical], numpy.int32), "x_cont": numpy.array([numbers], numpy.float32)}
        return session.run([output], inputs)[0][0]

    return {"onnxruntime": onnxruntime.__version__}, predict


bridge.serve(start, packages={"onnxruntime": "onnxruntime", "numpy": "numpy"})
