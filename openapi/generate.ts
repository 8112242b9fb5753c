/**
 * Writes `services/lib/contracts/gen` from the contracts beside this file. Per contract it writes the types
 * (`*.types.ts`) and the bundled document (`*.json`). Services bind routes to the document, and tests check
 * answers against it. `make generate` runs this file. `make check` runs it with another output folder as the
 * first argument, and compares.
 */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundle, createConfig } from '@redocly/openapi-core'
import openapiTS, { astToString } from 'openapi-typescript'

const here = import.meta.dirname
const out = process.argv[2] ?? join(here, '../services/lib/contracts/gen')

mkdirSync(out, { recursive: true })
const config = await createConfig({})
for (const file of readdirSync(here)
  .filter(name => name.endsWith('.yaml') && name !== 'redocly.yaml')
  .sort()) {
  const name = file.replace('.yaml', '')
  const ref = join(here, file)
  const bundled = await bundle({ ref, config })
  const types = astToString(await openapiTS(bundled.bundle.parsed, { alphabetize: false, exportType: false }))
  writeFileSync(
    join(out, `${name}.types.ts`),
    `// Generated from openapi/${file} by \`make generate\`. Do not edit.\n\n${types}`,
  )
  writeFileSync(join(out, `${name}.json`), `${JSON.stringify(bundled.bundle.parsed, null, 1)}\n`)
  console.log(`contracts: ${name}`)
}
