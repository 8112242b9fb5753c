import { bytesSource, type IbtFile, openIbt, readColumns, rowsOf } from '@lapwing/telemetry'
import { blobSource } from '#shared/files/blob-source.ts'
import { serveReader } from '#shared/files/serve-reader.ts'
import type { ChannelResult, ChannelSource, ChannelTask } from './channel-protocol.ts'

/** The headers are read once. After a failure, the next task reads them again. */
let opened: Promise<IbtFile> | null = null

serveReader<ChannelTask, ChannelResult>(
  async ({ source, wanted }) => {
    opened ??= open(source)
    const file = await opened.catch(error => {
      opened = null
      throw error
    })
    if (wanted === null) return { variables: [...file.variablesByName.values()], columns: [] }
    const { rowStart, rowEnd, names } = wanted
    const { byName } = await readColumns(rowsOf(file, rowStart, rowEnd), names)
    return { variables: [], columns: [...byName.values()] }
  },
  ({ columns }) => columns.map(({ values }) => values.buffer as ArrayBuffer),
)

async function open(source: ChannelSource): Promise<IbtFile> {
  if (source.kind === 'file') return openIbt(blobSource(source.file))
  const { makeSampleSession } = await import('@lapwing/simulator/sample')
  return openIbt(bytesSource(makeSampleSession()))
}
