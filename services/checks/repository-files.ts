import { execFileSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The repository's files whose name fits the pattern, such as `*.test.ts`, as sorted paths from its
 * root. New files count before they are committed; what git ignores does not.
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
  // A file that was removed and not yet committed is still listed by git.
  return [...new Set(found)].filter(file => file !== '' && existsSync(join(rootDir, file))).sort()
}
