import type { Column } from '@lapwing/telemetry'

/** Columns that were read, at most `mostBytes` of them. The one that was used longest ago is removed first. */
export function createColumnCache(mostBytes: number) {
  const columns = new Map<string, Column>()
  let bytes = 0
  return {
    get(key: string): Column | undefined {
      const column = columns.get(key)
      if (column) {
        // A map lists its keys in the order of their insertion.
        columns.delete(key)
        columns.set(key, column)
      }
      return column
    },
    set(key: string, column: Column) {
      remove(key)
      columns.set(key, column)
      bytes += column.values.byteLength
      for (const oldest of columns.keys()) {
        if (bytes <= mostBytes || oldest === key) break
        remove(oldest)
      }
    },
  }

  function remove(key: string) {
    bytes -= columns.get(key)?.values.byteLength ?? 0
    columns.delete(key)
  }
}
