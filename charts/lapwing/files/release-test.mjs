/**
 * `helm test`: uses a release like a driver does, by its gateway. Prints a line for each step, and ends with 1
 * at the first that fails. Removes what it created. Needs Node and no package.
 *
 * Variables: GATEWAY, its address in the cluster; FILE, a telemetry file compressed with Brotli; PUBLIC_ORIGIN.
 * With accounts PUBLIC_TOKEN, and with boards STORE: the address to post files to, or `public` for the one that
 * browsers get.
 */
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { brotliDecompressSync } from 'node:zlib'

const { GATEWAY, FILE, PUBLIC_ORIGIN, PUBLIC_TOKEN = '', STORE = '' } = process.env
const file = brotliDecompressSync(readFileSync(FILE))
const type = 'application/octet-stream'
const CALL_MS = 70_000
const WAIT_MS = 120_000
let removeAccount = null

try {
  await step('serves the page', servesPage)
  await step('reads a telemetry file', readsFile)
  if (PUBLIC_TOKEN !== '') {
    const driver = await step('creates an account', createsAccount)
    if (STORE !== '') {
      await step('refuses a file of another size than its form allows', () => refusesOtherSize(driver))
      const upload = await step('accepts the file in the object store', () => acceptsFile(driver))
      const lap = await step('judges the lap', () => judgesLap(driver, upload))
      await step('shows the lap on the board', () => untilOnBoard(driver, lap, true))
      await step('removes the lap from the board', () => removesLap(driver, lap))
    }
    await step('deletes the account', removeAccount)
  }
  console.log('passed')
} catch (error) {
  console.error(`failed: ${error.message}`)
  process.exitCode = 1
  await removeAccount?.().catch(({ message }) => console.error(`The account remains: ${message}`))
}

async function servesPage() {
  const answer = await call('GET', '/')
  expect(answer, 200)
  if (!answer.headers.get('content-type')?.startsWith('text/html')) throw new Error('the page is no HTML')
}

async function readsFile() {
  const body = new FormData()
  body.append('file', new Blob([file]), 'release-test.ibt')
  expect(await call('POST', '/api/v1/preview', { body }), 200)
}

async function createsAccount() {
  const id = crypto.randomUUID()
  const answer = await call('POST', '/sdk/v1/passwords', {
    json: {
      email: `release-test-${id}@lapwing.example`,
      password: crypto.randomUUID(),
      session_duration_minutes: 10,
    },
    authorization: `Basic ${btoa(`${PUBLIC_TOKEN}:${PUBLIC_TOKEN}`)}`,
  })
  expect(answer, 200)
  const authorization = `Bearer ${answer.json.data.session_jwt}`
  // Only letters that form no word which a name must not contain.
  const letters = Array.from(crypto.getRandomValues(new Uint8Array(12)), byte => 'bdjkmvwz'[byte % 8])
  const username = `release_${letters.join('')}`
  expect(await call('POST', '/api/v1/auth/username', { json: { username }, authorization }), 200)
  removeAccount = async () => {
    removeAccount = null
    expect(await call('DELETE', '/api/v1/auth/account', { json: { username }, authorization }), 204)
  }
  return { authorization }
}

async function announce({ authorization }) {
  const json = { filename: 'release-test.ibt', size: file.length, contentType: type }
  const answer = await call('POST', '/api/v1/upload/init', { json, authorization })
  expect(answer, 200)
  return answer.json
}

async function post({ url, fields }, bytes) {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.append(name, value)
  body.append('file', new Blob([bytes], { type }))
  const address = STORE === 'public' ? url : new URL(new URL(url).pathname, STORE)
  const headers = { origin: PUBLIC_ORIGIN }
  return await reach(address, { method: 'POST', body, headers })
}

async function refusesOtherSize(driver) {
  const { status } = await post(await announce(driver), Buffer.concat([file, Buffer.from('x')]))
  if (status < 400 || status >= 500) throw new Error(`the object store answered ${status}, not 4xx`)
}

async function acceptsFile(driver) {
  const upload = await announce(driver)
  const answer = await post(upload, file)
  if (!answer.ok) throw new Error(`the object store answered ${answer.status}: ${await answer.text()}`)
  const allowed = answer.headers.get('access-control-allow-origin')
  if (allowed !== PUBLIC_ORIGIN && allowed !== '*') {
    throw new Error(`the bucket's CORS rules do not let ${PUBLIC_ORIGIN} post, so browsers cannot upload`)
  }
  const json = { sessionId: upload.sessionId, key: upload.key }
  expect(await call('POST', '/api/v1/upload/complete', { json, ...driver }), 200)
  return json
}

async function judgesLap(driver, upload) {
  let answer = await call('POST', '/api/laps/ingest-best-from-session', { json: upload, ...driver })
  await until(async () => {
    if (answer.status !== 202) return true
    answer = await call('GET', `/api/laps/ingests/${answer.json.ingest_id}`, driver)
    return false
  })
  expect(answer, 201)
  return answer.json
}

async function untilOnBoard(driver, { context_id: context }, isThere) {
  await until(async () => {
    const answer = await call('GET', `/api/leaderboards/${context}/me?board=clean`, driver)
    // A board without any lap is 404.
    expect(answer, 200, 404)
    return (answer.status === 200 && answer.json.me !== null) === isThere
  })
}

async function removesLap(driver, lap) {
  expect(await call('DELETE', `/api/laps/${lap.lap_id}`, driver), 204)
  await untilOnBoard(driver, lap, false)
}

async function step(name, run) {
  try {
    const result = await run()
    console.log(`ok  ${name}`)
    return result
  } catch (error) {
    throw new Error(`${name}: ${error.message}`, { cause: error })
  }
}

/** Fetches an address. An error names its origin, which can be one that only browsers reach. */
async function reach(address, options) {
  try {
    return await fetch(address, { ...options, signal: AbortSignal.timeout(CALL_MS) })
  } catch (error) {
    const why = error.cause?.message ?? error.message
    throw new Error(`${new URL(address).origin} cannot be reached from a pod: ${why}`, { cause: error })
  }
}

/** Calls the gateway. Answers with the status, the headers and the JSON, which is undefined for other bodies. */
async function call(method, path, { json, body, authorization } = {}) {
  const answer = await reach(new URL(path, GATEWAY), {
    method,
    headers: {
      origin: PUBLIC_ORIGIN,
      ...(json && { 'content-type': 'application/json' }),
      ...(authorization && { authorization }),
    },
    body: json ? JSON.stringify(json) : body,
  })
  const text = await answer.text()
  const isJson = /[/+]json/.test(answer.headers.get('content-type') ?? '')
  return { status: answer.status, headers: answer.headers, json: isJson ? JSON.parse(text) : undefined }
}

function expect({ status, json }, ...wanted) {
  if (wanted.includes(status)) return
  throw new Error(`the answer is ${status}${json?.detail ? `: ${json.detail}` : ''}`)
}

async function until(isDone) {
  const deadline = Date.now() + WAIT_MS
  while (!(await isDone())) {
    if (Date.now() > deadline) throw new Error(`not within ${WAIT_MS / 1000} s`)
    await delay(1_000)
  }
}
