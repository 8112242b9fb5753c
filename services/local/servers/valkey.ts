/** The bundled Valkey as a part of the stack; your own `REDIS_URL` replaces it. */
import { integer, readEnv, text } from '@lapwing/config'
import { startValkey } from '@lapwing/dev-servers/valkey'
import { runBeside } from './run-beside.ts'

await runBeside('valkey', async () => {
  const { dir, toolsDir, port } = readEnv(
    {
      dir: text('DATA_DIR', { about: 'Folder of its data.', example: '.lapwing/valkey' }),
      toolsDir: text('TOOLS_DIR', { about: 'Folder of its program.', example: '.tools' }),
      port: integer('VALKEY_PORT', { min: 1, max: 65_535, about: 'Its port.', example: '6379' }),
    },
    process.env,
  )
  return startValkey({ dir, toolsDir, port })
})
