import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { freePort, freePorts } from './free-port.ts'

const run = promisify(execFile)

test('returns different ports to all callers, in any process', async () => {
  const module = JSON.stringify(new URL('./free-port.ts', import.meta.url).href)
  const code = `
    import { freePorts } from ${module}
    const ports = await freePorts(300)
    console.log(JSON.stringify(ports))
    process.stdin.resume()`
  const others = Array.from({ length: 4 }, () => {
    const started = run(process.execPath, ['--input-type=module', '-e', code])
    const ports = new Promise<number[]>(resolve => {
      let text = ''
      started.child.stdout!.on('data', (piece: string) => {
        text += piece
        if (text.endsWith('\n')) resolve(JSON.parse(text))
      })
    })
    const end = async () => {
      started.child.stdin!.end()
      await started
    }
    return { ports, end }
  })
  const given = [...(await freePorts(300)), ...(await Promise.all(others.map(({ ports }) => ports))).flat()]
  assert.equal(new Set(given).size, 1500)
  await Promise.all(others.map(({ end }) => end()))
})

test('lets a server listen on its port, and lets its process end', async t => {
  const port = await freePort()
  const server = createServer()
  t.after(() => server.close())
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
})
