/**
 * A service of a few lines for tests of the stack. BEHAVIOUR selects its fault: `exit` exits immediately,
 * `deaf` ignores SIGTERM, `silent` answers 503 until a request for `/wake`, `parent` starts a child process.
 */
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'

const { BEHAVIOUR, HOST, PORT } = process.env

console.log(`pid ${process.pid}`)

if (BEHAVIOUR === 'exit') {
  console.log('the disk is full of feathers')
  process.exit(3)
}
if (BEHAVIOUR === 'parent') {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  console.log(`child ${child.pid}`)
}
process.on('SIGTERM', () => {
  if (BEHAVIOUR !== 'deaf') process.exit(0)
})
let isSilent = BEHAVIOUR === 'silent'
createServer((request, response) => {
  if (request.url === '/die') process.exit(7)
  if (request.url === '/wake') isSilent = false
  response.statusCode = isSilent ? 503 : 200
  const { GREETING: greeting, METRICS_HOST, METRICS_PORT } = process.env
  const metrics = `http://${METRICS_HOST}:${METRICS_PORT}/metrics`
  response.end(JSON.stringify({ pid: process.pid, greeting, metrics }))
}).listen(Number(PORT), HOST)
