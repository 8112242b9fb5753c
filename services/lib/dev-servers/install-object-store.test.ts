import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'

const script = join(import.meta.dirname, 'install-object-store.sh')

test('builds once for many parallel callers, and never again', async t => {
  const folders = prepare(t)
  const ended = await Promise.all(Array.from({ length: 4 }, () => install(folders).ended))
  assert.deepEqual(ended, Array(4).fill({ code: 0, output: '' }))
  assert.deepEqual(await install(folders).ended, { code: 0, output: '' })
  assert.equal(folders.builds(), 1)
  assert.deepEqual(readdirSync(join(folders.tools, 'versitygw')), ['versitygw'])
})

test('prints Go’s error if a build fails, and leaves no files', async t => {
  const folders = prepare(t)
  const { code, output } = await install(folders, { OUTCOME: 'failed' }).ended
  assert.equal(code, 1)
  assert.equal(output, 'The object store could not be built. Go said:\nthe module has flown away\n')
  assert.deepEqual(readdirSync(join(folders.tools, 'versitygw')), [])
})

test('leaves no files if a build is stopped, and builds again', async t => {
  const folders = prepare(t)
  const stopped = install(folders, { OUTCOME: 'endless' })
  while (folders.builds() === 0) await delay(10)
  process.kill(-stopped.pid, 'SIGTERM')
  assert.notEqual((await stopped.ended).code, 0)
  assert.deepEqual(readdirSync(join(folders.tools, 'versitygw')), [])
  assert.equal((await install(folders).ended).code, 0)
})

test('ignores the lock of a killed build', async t => {
  const folders = prepare(t)
  const killed = install(folders, { OUTCOME: 'endless' })
  while (folders.builds() === 0) await delay(10)
  process.kill(-killed.pid, 'SIGKILL')
  await killed.ended
  assert.ok(readdirSync(join(folders.tools, 'versitygw')).includes('lock'))
  assert.equal((await install(folders).ended).code, 0)
  assert.ok(existsSync(join(folders.tools, 'versitygw/versitygw')))
})

interface BuildFolders {
  readonly tools: string
  readonly bin: string
  readonly builds: () => number
}

/** Creates a folder for tools, and a fake Go that counts its builds and does what the test asks. */
function prepare(t: TestContext): BuildFolders {
  const dir = mkdtempSync(join(tmpdir(), 'lapwing-install-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  const bin = join(dir, 'bin')
  mkdirSync(bin)
  const log = join(dir, 'builds')
  writeFileSync(log, '')
  writeFileSync(
    join(bin, 'go'),
    `#!/bin/sh
if [ "$1" = version ]; then echo "go version go1.26.0 test/test"; exit; fi
echo built >>"${log}"
case "\${OUTCOME:-}" in
  failed) echo "the module has flown away" >&2; exit 1 ;;
  endless) exec sleep 600 ;;
esac
sleep 0.2
echo "#!/bin/sh" >"$GOBIN/versitygw"
chmod +x "$GOBIN/versitygw"
`,
  )
  chmodSync(join(bin, 'go'), 0o755)
  const builds = () => readFileSync(log, 'utf8').split('\n').length - 1
  return { tools: join(dir, 'tools'), bin, builds }
}

function install({ tools, bin }: BuildFolders, env: Readonly<Record<string, string>> = {}) {
  const child = spawn('sh', [script, tools], {
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...env, PATH: `${bin}:${process.env.PATH}` },
  })
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, output }))
  return { pid: child.pid!, ended }
}
