import { execFileSync, spawnSync } from 'node:child_process'

/** The last commit of the version before this one. Both must work together during an upgrade and after a rollback. */
export const OLDER_COMMIT = '0d50802'

const MAX_BYTES = 256 * 1024 * 1024

/** Returns whether the clone in `rootDir` has the commit. A shallow one can lack it. */
export function hasOlderVersion(rootDir: string): boolean {
  return spawnSync('git', ['cat-file', '-e', `${OLDER_COMMIT}^{commit}`], { cwd: rootDir }).status === 0
}

/** Writes the files of the older version into a folder: all, or those of `paths`. */
export function exportOlderVersion(rootDir: string, dir: string, paths: readonly string[] = []): void {
  const archive = execFileSync('git', ['archive', OLDER_COMMIT, ...paths], {
    cwd: rootDir,
    maxBuffer: MAX_BYTES,
  })
  execFileSync('tar', ['x', '-C', dir], { input: archive })
}
