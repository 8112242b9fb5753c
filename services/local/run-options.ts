import { isAbsolute, join } from 'node:path'
import { integer, readEnv, text } from '@lapwing/config'

/** How `make run` and `make dev` are told where to listen and where to keep their data. */
export function readRunOptions(
  env: Readonly<Record<string, string | undefined>>,
  rootDir: string,
): RunOptions {
  const { port, host, dataDir } = readEnv(
    {
      port: integer('PORT', {
        min: 0,
        max: 65_535,
        about: 'the port of the page, 0 for any free one.',
        example: '8080',
        fallback: 8080,
      }),
      host: text('HOST', {
        about: 'the address the page listens on; 0.0.0.0 lets other machines of the network in.',
        example: '127.0.0.1',
        fallback: '127.0.0.1',
      }),
      dataDir: text('DATA_DIR', {
        about: 'the folder for data and logs.',
        example: '.lapwing',
        fallback: '.lapwing',
      }),
    },
    env,
  )
  return { port, host, dataDir: isAbsolute(dataDir) ? dataDir : join(rootDir, dataDir) }
}

export interface RunOptions {
  readonly port: number
  readonly host: string
  /** Absolute. */
  readonly dataDir: string
}
