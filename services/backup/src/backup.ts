import { backUp } from './back-up.ts'
import { loadConfig } from './config.ts'
import { runCommand } from './run-command.ts'

/** `node src/backup.ts`: makes a backup in `BACKUP_DIR`, and deletes the oldest ones above `KEEP_BACKUPS`. */
await runCommand(async ({ say, limit }) => {
  if (process.argv.length > 2) {
    console.error('node src/backup.ts')
    return 2
  }
  const { timeoutMinutes, ...config } = loadConfig(process.env)
  await backUp({ ...config, say, signal: limit(timeoutMinutes) })
  return 0
})
