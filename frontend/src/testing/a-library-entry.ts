import { INDEX_VERSION, type LibraryEntry } from '#features/library/library-entry.ts'
import { type ASummary, aSummary } from './a-summary.ts'

/** Returns the library's entry of a session that began at this time; of an empty file if `summary` is null. */
export function aLibraryEntry(
  path: string,
  startedAtMs: number,
  summary: ASummary | null = {},
): LibraryEntry {
  return {
    path,
    size: 9,
    modifiedMs: startedAtMs,
    version: INDEX_VERSION,
    summary: summary && aSummary({ startedAtMs, ...summary }),
    problem: summary === null ? 'This file is empty.' : null,
  }
}
