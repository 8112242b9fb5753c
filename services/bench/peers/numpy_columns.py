"""Reads columns of an .ibt file with numpy: strided views of a memory map, each made contiguous."""

import json
import resource
import struct
import sys

import numpy as np

TYPES = [("S1", 1), ("?", 1), ("<i4", 4), ("<u4", 4), ("<f4", 4), ("<f8", 8)]


def read(path, names):
    data = np.memmap(path, dtype=np.uint8, mode="r")
    num_vars, var_offset = struct.unpack_from("<2i", data, 24)
    buf_len = struct.unpack_from("<i", data, 36)[0]
    buf_offset = struct.unpack_from("<i", data, 52)[0]
    rows = (data.size - buf_offset) // buf_len
    columns = {}
    for i in range(num_vars):
        at = var_offset + 144 * i
        kind, offset, count = struct.unpack_from("<3i", data, at)
        name = bytes(data[at + 16 : at + 48]).split(b"\0")[0].decode("latin-1")
        if names is not None and name not in names:
            continue
        dtype, size = TYPES[kind]
        shape, strides = ((rows,), (buf_len,)) if count == 1 else ((rows, count), (buf_len, size))
        view = np.ndarray(shape, dtype, data, buf_offset + offset, strides)
        columns[name] = np.ascontiguousarray(view)
    return rows, columns


def cpu_ms():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return 1000 * (usage.ru_utime + usage.ru_stime)


path, names = sys.argv[1], sys.argv[2]
start = cpu_ms()
rows, columns = read(path, None if names == "all" else set(names.split(",")))
used = cpu_ms() - start
values = sum(column.size for column in columns.values())
print(json.dumps({"cpuMs": used, "columns": len(columns), "rows": rows, "values": values}))
