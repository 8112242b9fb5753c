import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createManualClock, settle } from '#testing/manual-clock.ts'
import { createPostToStore, STALL_MS } from './post-to-store.ts'
import { isWorthRepeating, SaveError } from './save-error.ts'

const ticket = {
  sessionId: 's',
  traceparent: 't',
  key: 'uploads/k',
  url: 'https://store.test/bucket',
  fields: { key: 'uploads/k', policy: 'p', 'x-amz-signature': 'sig' },
}

/** Returns a fake browser request that the test drives. */
function fakeRequest() {
  const upload = new EventTarget()
  const request = Object.assign(new EventTarget(), {
    upload,
    status: 0,
    statusText: '',
    responseText: '',
    opened: [] as string[],
    sent: null as FormData | null,
    isAborted: false,
    open(method: string, url: string) {
      this.opened.push(method, url)
    },
    send(form: FormData) {
      this.sent = form
    },
    abort() {
      this.isAborted = true
    },
  })
  return {
    request,
    sends(loaded: number, total: number) {
      upload.dispatchEvent(Object.assign(new Event('progress'), { loaded, total }))
    },
    answers(status: number, responseText = '') {
      Object.assign(request, { status, responseText })
      request.dispatchEvent(new Event('load'))
    },
    breaks: () => request.dispatchEvent(new Event('error')),
  }
}

function harness(signal = new AbortController().signal) {
  const clock = createManualClock()
  const browser = fakeRequest()
  const post = createPostToStore({
    newRequest: () => browser.request as unknown as XMLHttpRequest,
    after: clock.after,
  })
  const shares: number[] = []
  const file = new File(['telemetry'], 'Jane Doe in Monza.ibt')
  const done = post(ticket, file, { signal, onProgress: share => shares.push(share) })
  // The test looks at the outcome later.
  done.catch(() => {})
  return { ...browser, clock, done, shares }
}

test('sends the ticket’s fields first and unchanged, and the file last, under a name without personal data', async () => {
  const { request, done, sends, answers, shares } = harness()
  assert.deepEqual(request.opened, ['POST', ticket.url])
  const entries = [...request.sent!.entries()]
  assert.deepEqual(entries.slice(0, -1), Object.entries(ticket.fields))
  const [name, file] = entries.at(-1) as [string, File]
  assert.deepEqual([name, file.name, await file.text()], ['file', 'session.ibt', 'telemetry'])
  sends(5, 10)
  sends(10, 10)
  answers(204)
  await done
  assert.deepEqual(shares, [0.5, 1])
})

test('rejects with the status and text of the store’s refusal', async () => {
  const { done, answers } = harness()
  answers(403, '<Error><Code>AccessDenied</Code></Error>')
  await assert.rejects(done, error => {
    assert.ok(error instanceof SaveError)
    assert.match(error.message, /^Storage upload failed: 403 .*AccessDenied/)
    assert.deepEqual([error.isRefused, error.sentence, isWorthRepeating(error)], [true, null, false])
    return true
  })
})

test('treats a lost connection as worth a retry', async () => {
  const { done, breaks } = harness()
  breaks()
  await assert.rejects(done, error => isWorthRepeating(error as Error))
})

test('waits for a slow line as long as bytes move, and gives up after 30 s without any', async () => {
  const { request, clock, done, sends } = harness()
  for (let sent = 1; sent <= 5; sent++) {
    await clock.advance(STALL_MS - 1)
    sends(sent, 10)
  }
  assert.equal(request.isAborted, false)
  await clock.advance(STALL_MS)
  assert.equal(request.isAborted, true)
  await assert.rejects(done, { message: 'Storage upload failed: Request timeout after 30000 ms' })
})

test('stops the request and its timer when the save is aborted', async () => {
  const stop = new AbortController()
  const { request, clock, done } = harness(stop.signal)
  stop.abort(new Error('another file'))
  await assert.rejects(done, { message: 'another file' })
  assert.equal(request.isAborted, true)
  assert.deepEqual(clock.waiting(), [])
})

test('does not begin if the save is aborted already', async () => {
  const { request, done } = harness(AbortSignal.abort(new Error('gone')))
  await assert.rejects(done, { message: 'gone' })
  await settle()
  assert.equal(request.sent, null)
})
