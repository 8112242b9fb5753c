/** The bundled object store as a part of the stack; your own `S3_ENDPOINT` replaces it. */
import { integer, optional, readEnv, text } from '@lapwing/config'
import { startObjectStore } from '@lapwing/dev-servers/object-store'
import { runBeside } from './run-beside.ts'

// Until the server listens, this is the only handler of the signal: it ends a running build too.
const stop = new AbortController()
process.once('SIGTERM', () => stop.abort())

await runBeside('object-store', async () => {
  const { origins, host, ...options } = readEnv(
    {
      dir: text('DATA_DIR', { about: 'Folder of its objects.', example: '.lapwing/object-store' }),
      toolsDir: text('TOOLS_DIR', { about: 'Folder of its program.', example: '.tools' }),
      port: integer('S3_PORT', { min: 1, max: 65_535, about: 'Its port.', example: '7070' }),
      host: optional(text('S3_HOST', { about: 'A further address to listen on.', example: '192.168.1.5' })),
      bucket: text('S3_BUCKET', { about: 'The bucket to create.', example: 'lapwing' }),
      accessKeyId: text('S3_ACCESS_KEY_ID', { about: 'Name of the key for it.', example: 'lapwing' }),
      secretAccessKey: text('S3_SECRET_ACCESS_KEY', { about: 'The key for it.', example: 'a long secret' }),
      origins: text('ALLOWED_ORIGINS', {
        about: 'Pages that may post files to it, separated by commas.',
        example: 'http://localhost:8080,http://127.0.0.1:8080',
      }),
    },
    process.env,
  )
  try {
    return await startObjectStore({
      ...options,
      host: host ?? undefined,
      origins: origins.split(','),
      signal: stop.signal,
    })
  } catch (error) {
    // It cannot be built without Go: print a sentence without a stack trace.
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
})
