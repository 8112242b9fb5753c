import { createBriefReader } from '#shared/files/brief-reader.ts'
import type { ChannelResult, ChannelSource, ChannelTask } from './channel-protocol.ts'
import { type ChannelReader, createChannelReader } from './channel-reader.ts'

/** Opens a file for reading its channels, in a worker of its own. `end` ends the worker and frees its memory. */
export function openReader(source: ChannelSource): { readonly reader: ChannelReader; end(): void } {
  const { run, end } = createBriefReader<ChannelTask, ChannelResult>(
    () => new Worker(new URL('./channels.worker.ts', import.meta.url), { type: 'module' }),
  )
  return { reader: createChannelReader(source, run), end }
}
