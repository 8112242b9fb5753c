/** `make generate`: generates the code from openapi/ and proto/ again. */
import { join } from 'node:path'
import { GENERATED_FOLDER, generateCode } from './generate-code.ts'

const rootDir = join(import.meta.dirname, '../..')
const problem = await generateCode(rootDir, rootDir)
console.log(problem ?? `Written: ${GENERATED_FOLDER}`)
process.exitCode = problem === null ? 0 : 1
