import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '@lapwing/testing/until.ts'
import type { Service } from './harness.ts'

export interface ServiceProcess extends Pick<Service, 'port' | 'log' | 'filesUnderWay'> {
  readonly child: ChildProcess
  /** Folder in which the process creates its own folder. */
  readonly tempDir: string
  /** Resolves with the exit code, or the signal that ended it. */
  readonly exited: Promise<number | NodeJS.Signals>
}

/** Starts the service in a process of its own, as in production. The process is killed after the test. */
export async function startProcess(
  t: { after(fn: () => Promise<void>): void },
  env: Readonly<Record<string, string>> = {},
  tempDir = mkdtempSync(join(tmpdir(), 'lapwing-preview-test-')),
): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../main.ts')], {
    env: { ...process.env, HOST: '127.0.0.1', PORT: '0', TMPDIR: tempDir, PREVIEW_WORKERS: '2', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit').then(([code, signal]) => (code ?? signal) as number | NodeJS.Signals)
  t.after(async () => {
    child.kill('SIGKILL')
    await exited
    rmSync(tempDir, { recursive: true, force: true })
  })
  let log = ''
  const port = await new Promise<number>((resolve, reject) => {
    child.stdout!.on('data', chunk => {
      log += chunk
      const found = /Server listening at http:\/\/127\.0\.0\.1:(\d+)/.exec(log)
      if (found) resolve(Number(found[1]))
    })
    exited.then(code => reject(new Error(`the service ended with ${code} before it listened: ${log}`)))
  })
  const filesUnderWay = () => readdirSync(tempDir).flatMap(folder => readdirSync(join(tempDir, folder)))
  // The first checks write a file to the disk.
  await fetch(`http://127.0.0.1:${port}/readyz`)
  await until(() => filesUnderWay().length === 0, 'no file is left')
  return { port, child, tempDir, exited, log: () => log, filesUnderWay }
}
