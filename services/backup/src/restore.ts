import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { checkBackup } from './check-backup.ts'
import { loadCheckConfig, loadConfig } from './config.ts'
import { findBackup, readManifest } from './manifest.ts'
import { restoreBackup } from './restore-backup.ts'
import { runCommand } from './run-command.ts'

const USAGE = `node src/restore.ts [--replace] [--send-pending] [--key-lost] [<backup>]
node src/restore.ts --check [<backup>]`

/** `node src/restore.ts`: restores the newest backup of `BACKUP_DIR`, or the named one. `--check` only reads it. */
await runCommand(async ({ say, signal, limit }) => {
  const args = readArguments()
  if (args === null) {
    console.error(USAGE)
    return 2
  }
  if (args.check) {
    const { dir, keyEncryptionKey } = loadCheckConfig(process.env)
    const folder = await findBackup(dir, args.name)
    const problems = await checkBackup({ folder, keyEncryptionKey, say, signal })
    const { keyName } = await readManifest(folder)
    const result = problems === 0 ? 'is whole' : `has ${problems} damaged or missing files`
    say(`Backup ${basename(folder)} ${result}; it needs the key-encryption key ${keyName}.`)
    return problems === 0 ? 0 : 1
  }
  const { dir, timeoutMinutes, ...config } = loadConfig(process.env)
  const folder = await findBackup(dir, args.name)
  say(`Backup ${basename(folder)}`)
  await restoreBackup({
    ...config,
    folder,
    isReplacing: args.replace,
    isSendingMessages: args['send-pending'],
    isKeyLost: args['key-lost'],
    say,
    signal: limit(timeoutMinutes),
  })
  return 0
})

/** Returns null for arguments that the command does not know. */
function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      options: {
        check: { type: 'boolean', default: false },
        replace: { type: 'boolean', default: false },
        'send-pending': { type: 'boolean', default: false },
        'key-lost': { type: 'boolean', default: false },
      },
      allowPositionals: true,
    })
    const { check, ...others } = values
    if (positionals.length > 1 || (check && Object.values(others).includes(true))) return null
    return { ...values, name: positionals[0] }
  } catch {
    return null
  }
}
