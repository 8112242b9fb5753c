/** `make generate`: generates the code from openapi/ and proto/ again, and the chart's schema and README. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chartFiles } from './chart-values.ts'
import { GENERATED_FOLDER, generateCode } from './generate-code.ts'

const rootDir = join(import.meta.dirname, '../..')
const chart = chartFiles(rootDir)
for (const [file, text] of chart) writeFileSync(join(rootDir, file), text)
const problem = await generateCode(rootDir, rootDir)
console.log(problem ?? `Written: ${[GENERATED_FOLDER, ...chart.keys()].join(', ')}`)
process.exitCode = problem === null ? 0 : 1
