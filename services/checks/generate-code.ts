import { join } from 'node:path'
import { runProgram } from './run-program.ts'

/** Folder of the code that is generated from openapi/ and proto/. */
export const GENERATED_FOLDER = 'services/lib/contracts/gen'

/** Writes the generated code below `baseDir`, at its path of the repository. Returns the problem or null. */
export async function generateCode(rootDir: string, baseDir: string): Promise<string | null> {
  const contracts = await runProgram(
    process.execPath,
    ['openapi/generate.ts', join(baseDir, GENERATED_FOLDER)],
    rootDir,
  )
  // buf's own paths are relative to proto/.
  const messages = await runProgram(
    'buf',
    ['generate', '--output', join(baseDir, 'proto')],
    join(rootDir, 'proto'),
  )
  return contracts ?? messages
}
