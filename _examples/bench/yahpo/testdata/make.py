"""Makes the network of the tests.

    python3 make.py

Of the nine outputs, the i-th is i times the sum of all inputs. Needs ONNX.
"""

import numpy
from onnx import TensorProto, checker, helper, numpy_helper, save

CATEGORICAL, NUMBERS, TARGETS = 3, 14, 9


def tensor(name, rows):
    factors = numpy.arange(1, TARGETS + 1, dtype=numpy.float32)
    return numpy_helper.from_array(numpy.tile(factors, (rows, 1)), name)


graph = helper.make_graph(
    [
        helper.make_node("Cast", ["x_cat"], ["categorical"], to=TensorProto.FLOAT),
        helper.make_node("MatMul", ["categorical", "w"], ["a"]),
        helper.make_node("MatMul", ["x_cont", "v"], ["b"]),
        helper.make_node("Add", ["a", "b"], ["output"]),
    ],
    "sums",
    [
        helper.make_tensor_value_info("x_cat", TensorProto.INT32, ["n", CATEGORICAL]),
        helper.make_tensor_value_info("x_cont", TensorProto.FLOAT, ["n", NUMBERS]),
    ],
    [helper.make_tensor_value_info("output", TensorProto.FLOAT, ["n", TARGETS])],
    [tensor("w", CATEGORICAL), tensor("v", NUMBERS)],
)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=7)
checker.check_model(model)
save(model, "rbv2_xgboost/model.onnx")
