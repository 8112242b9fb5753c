import type { RunTimeConfig } from '#shared/config/run-time-config.ts'
import { hasFileChanged } from '#shared/files/file-changes.ts'
import { type ParseClient, type ParseOptions, WorkerUnavailableError } from './parse-client.ts'
import type { ParseResult } from './parse-protocol.ts'
import { fileChanged } from './read-error.ts'

/** Reads sessions, wherever that is done. */
export interface FileReader {
  readFile(file: File, options: ParseOptions): Promise<ParseResult>
  readSample(options: ParseOptions): Promise<ParseResult>
}

interface FileReaderDeps {
  readonly parse: Pick<ParseClient, 'run'>
  readonly config: () => Promise<Pick<RunTimeConfig, 'preview'>>
  /** Asks the server from the page itself, where no worker can. */
  readonly postFromPage: (file: File, signal: AbortSignal | undefined) => Promise<ParseResult>
}

/**
 * Reads a file in the browser's worker; by the server, once, where the operator wants it or no
 * worker can be started (D-23).
 */
export function createFileReader({ parse, config, postFromPage }: FileReaderDeps): FileReader {
  async function read(file: File, options: ParseOptions): Promise<ParseResult> {
    const { preview } = await config()
    try {
      // The worker talks to the server as well: decoding a long session takes longer than a frame.
      return await parse.run(
        preview === 'server' ? { kind: 'server', file, name: file.name } : { kind: 'file', file },
        options,
      )
    } catch (error) {
      if (!(error instanceof WorkerUnavailableError)) throw error
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
