import { spawnSync } from 'node:child_process'

const MAX_LENGTH = 72

/** Older subjects may be longer. */
const BASE_COMMIT = '0d50802e1b6b66bbd7301d8d045e6dd4b3757d52'

/**
 * Checks that the subject of each commit after `baseCommit` has at most 72 characters. Returns the problems,
 * one a line, or null. A shallow clone or a folder outside of git lacks the commit and passes.
 */
export function checkSubjects(rootDir: string, baseCommit = BASE_COMMIT): string | null {
  const { status, stdout } = spawnSync('git', ['log', '--format=%h %s', `${baseCommit}..HEAD`], {
    cwd: rootDir,
    encoding: 'utf8',
  })
  if (status !== 0) return null
  const problems = stdout.split('\n').flatMap(line => {
    const [id = ''] = line.split(' ', 1)
    const subject = line.slice(id.length + 1)
    return [...subject].length > MAX_LENGTH
      ? [`${id} has a subject over ${MAX_LENGTH} characters: ${subject}`]
      : []
  })
  return problems.join('\n') || null
}
