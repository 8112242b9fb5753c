import type { Column, Variable } from '@lapwing/telemetry'
import { hasFileChanged } from '#shared/files/file-changes.ts'
import { fileChanged } from '#shared/files/read-error.ts'
import type { ReaderClient } from '#shared/files/reader-client.ts'
import type { ChannelResult, ChannelSource, ChannelTask, RowRange } from './channel-protocol.ts'
import { createColumnCache } from './column-cache.ts'

/** Reads channels of one file. */
export interface ChannelReader {
  /** Rejects with an error whose message can be shown. */
  variables(): Promise<readonly Variable[]>
  /**
   * Returns the columns of some variables for the rows of a lap, by name. Reads only what is not in the cache, in one
   * go, and skips names that the file does not have. Rejects as `variables`, or with the signal's reason.
   */
  columns(rows: RowRange, names: Iterable<string>, signal: AbortSignal): Promise<ReadonlyMap<string, Column>>
}

/** Half an hour of 60 Hz takes 432 kB a channel, so this is a page of charts for many laps. */
const MOST_CACHED_BYTES = 64 * 1024 * 1024

export function createChannelReader(
  source: ChannelSource,
  run: ReaderClient<ChannelTask, ChannelResult>['run'],
): ChannelReader {
  const cache = createColumnCache(MOST_CACHED_BYTES)
  /** The worker has one task at a time, and a second one would end the first. */
  let last: Promise<unknown> = Promise.resolve()

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = last.then(work)
    last = next.catch(() => undefined)
    return next
  }

  async function read(wanted: ChannelTask['wanted']): Promise<ChannelResult> {
    const outcome = await Promise.allSettled([run({ source, wanted })])
    // Also after a success: some browsers read a changed file without a word.
    if (source.kind === 'file' && (await hasFileChanged(source.file))) throw fileChanged()
    if (outcome[0].status === 'rejected') throw outcome[0].reason
    return outcome[0].value
  }

  return {
    variables: () => inTurn(async () => (await read(null)).variables),
    columns: ({ rowStart, rowEnd }, names, signal) =>
      inTurn(async () => {
        // The driver may have gone on to another lap or page.
        signal.throwIfAborted()
        const keyOf = (name: string) => `${rowStart}-${rowEnd} ${name}`
        const found = new Map<string, Column>()
        const missing: string[] = []
        for (const name of new Set(names)) {
          const column = cache.get(keyOf(name))
          if (column) found.set(name, column)
          else missing.push(name)
        }
        if (missing.length === 0) return found
        const { columns } = await read({ rowStart, rowEnd, names: missing })
        for (const column of columns) {
          cache.set(keyOf(column.name), column)
          found.set(column.name, column)
        }
        return found
      }),
  }
}
