"""Reads columns of an .ibt file with pyirsdk: `get_all` for each channel."""

import json
import resource
import sys

import irsdk


def cpu_ms():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return 1000 * (usage.ru_utime + usage.ru_stime)


path, names = sys.argv[1], sys.argv[2]
start = cpu_ms()
ibt = irsdk.IBT()
ibt.open(path)
columns = {name: ibt.get_all(name) for name in (ibt.var_headers_names if names == "all" else names.split(","))}
used = cpu_ms() - start
rows = max(len(column) for column in columns.values())
print(json.dumps({"cpuMs": used, "columns": len(columns), "rows": rows, "values": rows * len(columns)}))
