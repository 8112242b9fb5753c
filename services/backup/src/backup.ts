import { backUp } from './back-up.ts'
import { loadConfig } from './config.ts'
import { listBackups } from './manifest.ts'
import { runCommand } from './run-command.ts'

/**
 * `node src/backup.ts`: makes a backup in `BACKUP_DIR`, and deletes the oldest ones above `KEEP_BACKUPS`. With `--first`
 * it does so only if the folder has no whole backup.
 */
await runCommand(async ({ say, limit }) => {
  const options = process.argv.slice(2)
  const isFirst = options[0] === '--first'
  if (options.length > (isFirst ? 1 : 0)) {
    console.error('node src/backup.ts [--first]')
    return 2
  }
  const { timeoutMinutes, ...config } = loadConfig(process.env)
  if (isFirst) {
    const newest = (await listBackups(config.dir)).at(-1)
    if (newest !== undefined) {
      say(`There is a backup of ${newest} already.`)
      return 0
    }
  }
  await backUp({ ...config, say, signal: limit(timeoutMinutes) })
  return 0
})
