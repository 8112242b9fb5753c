/**
 * Bundles the scripts for k6 into `.lapwing/load/k6`, and writes a pack of files for them there. With `--check` it
 * only checks that the scripts can be bundled.
 */
import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { integer, readEnv } from '@lapwing/config'
import { writePack } from '../files/write-pack.ts'
import { MAX_DRIVERS } from '../scenarios/world.ts'
import { bundleScripts } from './bundle-scripts.ts'

const bundles = await bundleScripts()
if (!process.argv.includes('--check')) {
  const { files, drivers } = readEnv(
    {
      files: integer('FILES', {
        min: 12,
        max: 10_000,
        about: 'Files in the pack: twelve, and one for each file that the run uploads.',
        fallback: 200,
      }),
      drivers: integer('DRIVERS', {
        min: 12,
        max: MAX_DRIVERS,
        about: 'Drivers of the run.',
        fallback: 60,
      }),
    },
    process.env,
  )
  const folder = join(import.meta.dirname, '../../../../.lapwing/load/k6')
  mkdirSync(folder, { recursive: true })
  for (const { name, code } of bundles) writeFileSync(join(folder, `${name}.js`), code)
  const run = { id: randomBytes(3).toString('hex'), drivers }
  writePack(join(folder, 'load.pack'), run, files)
  console.log(
    `${bundles.map(({ name }) => `${name}.js`).join(', ')} and ${files} files of run ${run.id} in ${folder}`,
  )
}
