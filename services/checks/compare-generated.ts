import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GENERATED_FOLDER, generateCode } from './generate-code.ts'

/**
 * Generates the code into a temporary folder and compares it with the checked-in code. Returns the problem,
 * such as the list of stale files, or null.
 */
export async function compareGenerated(rootDir: string): Promise<string | null> {
  const baseDir = mkdtempSync(join(tmpdir(), 'lapwing-generated-'))
  try {
    const problem = await generateCode(rootDir, baseDir)
    if (problem !== null) return problem
    const stale = differences(join(rootDir, GENERATED_FOLDER), join(baseDir, GENERATED_FOLDER))
    return stale.length === 0
      ? null
      : `Run \`make generate\`; these files are not fresh:\n${stale.join('\n')}`
  } finally {
    rmSync(baseDir, { recursive: true, force: true })
  }
}

/** Returns the files that differ or are in one folder only, as sorted paths within the folders. */
export function differences(left: string, right: string): string[] {
  const files = [left, right].flatMap(folder =>
    globSync('**/*', { cwd: folder, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath, entry.name).slice(folder.length + 1)),
  )
  const read = (folder: string, file: string) =>
    existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8') : null
  return [...new Set(files)].filter(file => read(left, file) !== read(right, file)).sort()
}
