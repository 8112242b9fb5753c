/**
 * `make test`: runs every `*.test.ts` of the repository. Browser tests run beside the others. Arguments
 * choose files: a path, a folder or a part of either. `--fast` leaves out the slow files (slow-tests.ts).
 * A file that fails runs once more at the end, alone. The last line holds the counts and nothing else.
 */
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { isObjectStoreBuilt } from '@lapwing/dev-servers/object-store'
import { installChromium } from '@lapwing/e2e/install-chromium'
import { copyPage } from '@lapwing/e2e/page-copy'
import { type SharedStacks, shareStacks } from '@lapwing/e2e/shared-stacks'
import { chooseFiles } from './choose-files.ts'
import { repositoryFiles } from './repository-files.ts'
import { runTestFile } from './run-test-file.ts'
import { runTestFiles } from './run-test-files.ts'
import { isFast } from './slow-tests.ts'
import { startTestServers } from './start-test-servers.ts'
import { summarise } from './summarise.ts'
import type { FileResult } from './test-process.ts'
import { testProcesses } from './test-processes.ts'

const rootDir = join(import.meta.dirname, '../..')
const toolsDir = join(rootDir, '.tools')
const interrupted = new AbortController()
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => interrupted.abort())

const { values, positionals } = parseArgs({ options: { fast: { type: 'boolean' } }, allowPositionals: true })
const all = repositoryFiles(rootDir, '*.test.ts')
const files = chooseFiles(values.fast ? all.filter(isFast) : all, positionals)
const isBrowserTest = (file: string) => file.startsWith('services/e2e/')
const needsObjectStore = (file: string) =>
  isBrowserTest(file)
    ? /reach: 'everything'|parts: stack/.test(readFileSync(join(rootDir, file), 'utf8'))
    : /^services\/(?:chaos|upload|ingest|load|lib\/object-store|lib\/dev-servers)\//.test(file)
/**
 * Puts the files that need the object store first, because they take the longest. While its program is not yet
 * built, which takes minutes, they come last.
 */
const inOrder = (some: readonly string[]) => {
  const isBuilt = isObjectStoreBuilt(toolsDir)
  const first = (file: string) => needsObjectStore(file) === isBuilt
  return [...some.filter(first), ...some.filter(file => !first(file))]
}
const processes = testProcesses({ rootDir, signal: interrupted.signal })
let results: FileResult[] = []
let page: Promise<void> | null = null
let stacks = null as SharedStacks | null
let storeEnv: Readonly<Record<string, string>> = {}

const servers = await startTestServers({
  toolsDir,
  withObjectStore: files.some(needsObjectStore),
})
Object.assign(process.env, servers.env)
// Each test file and each service that it starts loads the same modules in its own process.
process.env.NODE_COMPILE_CACHE ??= join(rootDir, '.lapwing/compile-cache')
try {
  const browserFiles = inOrder(files.filter(isBrowserTest))
  if (browserFiles.length > 0) {
    // Without a browser each of these tests fails with that reason. None is skipped.
    const browser = await installChromium(line => console.log(line))
    if (browser !== null) process.env.CHROME_PATH = browser
    // Not awaited: the build uses one core, and tests without a browser use the others.
    page = buildPage()
  }
  results = await runTestFiles({
    // Browser tests first: they need most of the CPU, and the waits of the others fit in between.
    queues: [browserFiles, inOrder(files.filter(file => !isBrowserTest(file)))],
    // A file waits for most of its time. More files than these would only wait for each other.
    lanes: Math.min(6, 2 * availableParallelism()),
    signal: interrupted.signal,
    run: runFile,
  })
} finally {
  await processes.end()
  await page
  await stacks?.stop()
  await servers.stop()
}

const leftOut = values.fast ? chooseFiles(all, positionals).length - files.length : 0
if (leftOut > 0) {
  console.log(
    `Slow test files left out: ${leftOut} (services/checks/slow-tests.ts). \`make test\` runs them.`,
  )
}
const summary = summarise(results)
console.log(summary.text)
process.exitCode = interrupted.signal.aborted ? 130 : summary.failed > 0 || summary.passed === 0 ? 1 : 0

/**
 * Builds one page for all files, and offers them stacks that they share. If that fails, each file builds its
 * own and reports the error.
 */
async function buildPage(): Promise<void> {
  const dir = join(servers.dir, 'page')
  try {
    await copyPage(dir)
    stacks = await shareStacks({
      rootDir,
      dir: join(servers.dir, 'stacks'),
      page: dir,
      say: line => console.log(line),
    })
    process.env.TEST_PAGE_DIR = dir
  } catch {
    // Each file reports it; see above.
  }
}

/** Waits for the object store and its variables. If it failed, prints why; each test then fails. */
async function awaitObjectStore(): Promise<void> {
  try {
    storeEnv = await servers.objectStore
  } catch (error) {
    console.log(error instanceof Error ? error.message : error)
  }
}

async function runFile(file: string, isAlone: boolean): Promise<FileResult> {
  if (isBrowserTest(file)) await page
  if (needsObjectStore(file)) await awaitObjectStore()
  const order = {
    file,
    timeoutMs: isBrowserTest(file) ? 600_000 : 300_000,
    // A shared process may be older than the object store.
    env: { ...storeEnv, TEST_STACKS_URL: isAlone ? '' : (stacks?.url ?? '') },
  }
  // A file that runs alone has its own process and stack, in case a shared one broke.
  const result = isAlone
    ? await runTestFile({ rootDir, signal: interrupted.signal, ...order })
    : await processes.run({ group: groupOf(file), ...order })
  console.log(resultLine(result))
  return result
}

/** Returns the workspace of a file. Its files share processes. */
function groupOf(file: string): string {
  return /^(?:services\/(?:lib\/)?[^/]+|[^/]+)/.exec(file)![0]
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
