import type { RunTimeConfig } from '#shared/config/run-time-config.ts'
import { hasFileChanged } from '#shared/files/file-changes.ts'
import { fileChanged } from '#shared/files/read-error.ts'
import { type ReaderClient, type ReadOptions, WorkerUnavailableError } from '#shared/files/reader-client.ts'
import type { ParseResult, ParseTask } from './parse-protocol.ts'

export interface FileReadOptions extends ReadOptions {
  /** Whether the server may get the file to read it. */
  readonly canSend: boolean
}

/** Reads sessions, in the browser or by the server. */
export interface FileReader {
  readFile(file: File, options: FileReadOptions): Promise<ParseResult>
  readSample(options: ReadOptions): Promise<ParseResult>
}

interface FileReaderDeps {
  readonly parse: Pick<ReaderClient<ParseTask, ParseResult>, 'run'>
  readonly config: () => Promise<Pick<RunTimeConfig, 'preview'>>
  /** Posts from the page itself, if no worker can start. */
  readonly postFromPage: (file: File, signal: AbortSignal | undefined) => Promise<ParseResult>
}

/**
 * Creates a reader that uses the browser's worker. The server reads the file, once, if the operator wants it
 * or no worker can start (D-23). It gets no file that is opened without saving.
 */
export function createFileReader({ parse, config, postFromPage }: FileReaderDeps): FileReader {
  async function read(file: File, options: FileReadOptions): Promise<ParseResult> {
    const { preview } = await config()
    try {
      // Also for the server's answer: decoding a long session takes longer than a frame.
      return await parse.run(
        preview === 'server' && options.canSend
          ? { kind: 'server', file, name: file.name }
          : { kind: 'file', file },
        options,
      )
    } catch (error) {
      if (!(error instanceof WorkerUnavailableError) || !options.canSend) throw error
      return postFromPage(file, options.signal)
    }
  }

  return {
    async readFile(file, options) {
      const outcome = await Promise.allSettled([read(file, options)])
      // Also after a success: halves of two files can parse into laps that were never driven.
      if (!options.signal?.aborted && (await hasFileChanged(file))) throw fileChanged()
      if (outcome[0].status === 'rejected') throw outcome[0].reason
      return outcome[0].value
    },
    readSample: options => parse.run({ kind: 'sample' }, options),
  }
}
