import { execFileSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Returns the repository's files with a name that fits the pattern, such as `*.test.ts`. They are sorted
 * paths from its root. New files count before they are committed. Files that git ignores do not count.
 */
export function repositoryFiles(rootDir: string, pattern: string): string[] {
  const found = existsSync(join(rootDir, '.git'))
    ? execFileSync(
        'git',
        ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', `:(glob)**/${pattern}`],
        {
          cwd: rootDir,
          encoding: 'utf8',
        },
      ).split('\0')
    : globSync(`**/${pattern}`, {
        cwd: rootDir,
        exclude: path => /(?:^|\/)(?:node_modules|dist|\.\w+)$/.test(path),
      })
  // Git still lists a file that is removed if the removal is not committed.
  return [...new Set(found)].filter(file => file !== '' && existsSync(join(rootDir, file))).sort()
}
