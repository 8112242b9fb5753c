import { type IbtFile, openIbt, readColumns, rowsOf } from '@lapwing/telemetry'
import { blobSource } from '#shared/files/blob-source.ts'
import { sampleFile } from '#shared/files/sample-file.ts'
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
    const { byName } = await readColumns(rowsOf(file, { from: rowStart, end: rowEnd + 1 }), names)
    return { variables: [], columns: [...byName.values()] }
  },
  ({ columns }) => columns.map(({ values }) => values.buffer as ArrayBuffer),
)

async function open(source: ChannelSource): Promise<IbtFile> {
  return openIbt(blobSource(source.kind === 'file' ? source.file : await sampleFile()))
}
