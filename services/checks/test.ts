/**
 * `make test`: every `*.test.ts` of the repository, the browser's last. Arguments choose files: a
 * path, a folder or a part of either. The last line printed is the count, alone.
 */
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { installChromium } from '@lapwing/e2e/install-chromium'
import { chooseFiles } from './choose-files.ts'
import { repositoryFiles } from './repository-files.ts'
import { type FileResult, runTestFile } from './run-test-file.ts'
import { startTestServers } from './start-test-servers.ts'
import { summarise } from './summarise.ts'

const rootDir = join(import.meta.dirname, '../..')
const interrupted = new AbortController()
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => interrupted.abort())

const files = chooseFiles(repositoryFiles(rootDir, '*.test.ts'), process.argv.slice(2))
const isBrowserTest = (file: string) => file.startsWith('services/e2e/')
const needsObjectStore = (file: string) =>
  /^services\/(?:e2e|chaos|upload|ingest|lib\/object-store|lib\/dev-servers)\//.test(file)
const results: FileResult[] = []

const servers = await startTestServers({
  toolsDir: join(rootDir, '.tools'),
  withObjectStore: files.some(needsObjectStore),
})
Object.assign(process.env, servers.env)
try {
  const quickFiles = files.filter(file => !isBrowserTest(file))
  // Two at a time: the tests of the services start processes of their own.
  const lanes = { atOnce: Math.min(2, availableParallelism()), fileMs: 300_000 }
  await runAll(
    quickFiles.filter(file => !needsObjectStore(file)),
    lanes,
  )
  await takeObjectStore()
  await runAll(quickFiles.filter(needsObjectStore), lanes)
  const browserFiles = files.filter(isBrowserTest)
  if (browserFiles.length > 0 && !interrupted.signal.aborted) {
    // Without a browser the tests fail one by one and say so; they are not skipped.
    await installChromium(line => console.log(line))
    await runAll(browserFiles, { atOnce: 1, fileMs: 600_000 })
  }
} finally {
  await servers.stop()
}

const summary = summarise(results)
console.log(summary.text)
process.exitCode = interrupted.signal.aborted ? 130 : summary.failed > 0 || summary.passed === 0 ? 1 : 0

/** The store is being built since the start where it was not there; without one the tests say so, one by one. */
async function takeObjectStore(): Promise<void> {
  try {
    Object.assign(process.env, await servers.objectStore)
  } catch (error) {
    console.log(error instanceof Error ? error.message : error)
  }
}

async function runAll(
  queue: string[],
  { atOnce, fileMs }: { atOnce: number; fileMs: number },
): Promise<void> {
  const next = queue.values()
  const lane = async () => {
    for (const file of next) {
      if (interrupted.signal.aborted) return
      const result = await runTestFile({ rootDir, file, timeoutMs: fileMs, signal: interrupted.signal })
      results.push(result)
      console.log(resultLine(result))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
}

function resultLine({ file, tests, seconds }: FileResult): string {
  const failed = tests.filter(test => test.outcome === 'failed').length
  const skipped = tests.filter(test => test.outcome === 'skipped').length
  const counts = [
    `${tests.length} tests`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ]
  return `${failed > 0 ? 'FAIL' : 'ok  '}  ${seconds.toFixed(1).padStart(5)} s  ${file} (${counts.join(', ')})`
}
