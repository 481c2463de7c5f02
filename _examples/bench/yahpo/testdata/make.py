"""Makes the networks of the tests.

    python3 make.py

Of the outputs, the i-th is i times the sum of all inputs. Needs ONNX.
"""

import numpy
from onnx import TensorProto, checker, helper, numpy_helper, save


def make(path, rows, categorical, numbers, targets):
    """rows is how many configurations the network takes at once, or a name for any number."""

    def factors(name, inputs):
        row = numpy.arange(1, targets + 1, dtype=numpy.float32)
        return numpy_helper.from_array(numpy.tile(row, (inputs, 1)), name)

    graph = helper.make_graph(
        [
            helper.make_node("Cast", ["x_cat"], ["categorical"], to=TensorProto.FLOAT),
            helper.make_node("MatMul", ["categorical", "w"], ["a"]),
            helper.make_node("MatMul", ["x_cont", "v"], ["b"]),
            helper.make_node("Add", ["a", "b"], ["output"]),
        ],
        "sums",
        [
            helper.make_tensor_value_info("x_cat", TensorProto.INT32, [rows, categorical]),
            helper.make_tensor_value_info("x_cont", TensorProto.FLOAT, [rows, numbers]),
        ],
        [helper.make_tensor_value_info("output", TensorProto.FLOAT, [rows, targets])],
        [factors("w", categorical), factors("v", numbers)],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=7)
    checker.check_model(model)
    save(model, path)


make("rbv2_xgboost/model.onnx", "n", 3, 14, 9)
make("rbv2_super/new_model.onnx", 1, 8, 33, 6)
