"""Reads all columns of an .ibt file with libibt, as it returns them: one Arrow table per channel."""

import json
import resource
import sys

from libibt import ibt


def cpu_ms():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return 1000 * (usage.ru_utime + usage.ru_stime)


start = cpu_ms()
log = ibt(sys.argv[1])
columns = log.channels
used = cpu_ms() - start
rows = max(table.num_rows for table in columns.values())
values = sum(table.num_rows for table in columns.values())
print(json.dumps({"cpuMs": used, "columns": len(columns), "rows": rows, "values": values}))
