/** The bundled Postgres as a part of the stack; your own `DATABASE_URL` replaces it. */
import { integer, readEnv, text } from '@lapwing/config'
import { startPostgres } from '@lapwing/dev-servers/postgres'
import { runBeside } from './run-beside.ts'

await runBeside('postgres', async () => {
  const { dir, port } = readEnv(
    {
      dir: text('DATA_DIR', { about: 'Folder of the database.', example: '.lapwing/postgres' }),
      port: integer('POSTGRES_PORT', { min: 1, max: 65_535, about: 'Its port.', example: '5432' }),
    },
    process.env,
  )
  return startPostgres({ dir, port })
})
