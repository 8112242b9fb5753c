import { spawnSync } from 'node:child_process'

/**
 * Checks that the subject of each commit after `baseCommit` has at most 72 characters. Returns the problems,
 * one a line, or null. A shallow clone or a folder outside of git lacks the commit and passes.
 */
export function checkSubjects(rootDir: string, baseCommit = firstChecked): string | null {
  const { status, stdout } = spawnSync('git', ['log', '--format=%h %s', `${baseCommit}..HEAD`], {
    cwd: rootDir,
    encoding: 'utf8',
  })
  if (status !== 0) return null
  const commits = stdout.split('\n').map(line => /^(\S+) (.*)$/.exec(line))
  const long = commits.filter(commit => commit !== null && [...commit[2]!].length > maxLength)
  return (
    long
      .map(commit => `${commit![1]} has a subject over ${maxLength} characters: ${commit![2]}`)
      .join('\n') || null
  )
}

const maxLength = 72

/** Older subjects may be longer. */
const firstChecked = '0d50802e1b6b66bbd7301d8d045e6dd4b3757d52'
