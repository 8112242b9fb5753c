import encoding from 'k6/encoding'
import http from 'k6/http'
import { setTimeout } from 'k6/timers'
import { CALL_WITHIN_MS, type Http } from '../../steps/http.ts'

/** Sends calls with k6. Each call has an empty jar, because no client of Lapwing stores cookies here. */
export const k6Http: Http = {
  async send({ name, method, url, headers, body, withinMs = CALL_WITHIN_MS }) {
    const sent = typeof body === 'object' ? bufferOf(body) : (body ?? null)
    const answer = await http.asyncRequest(method, url, sent, {
      headers: { ...headers },
      jar: new http.CookieJar(),
      redirects: 0,
      // Without a tag of the address, which holds ids.
      tags: { name, step: name },
      timeout: withinMs,
      responseType: headers?.accept === 'application/x-protobuf' ? 'binary' : 'text',
    })
    const received = Object.fromEntries(
      Object.entries(answer.headers).map(([header, value]) => [header.toLowerCase(), value]),
    )
    const { body: content } = answer
    return {
      status: answer.status,
      header: header => received[header],
      text: () => (typeof content === 'string' ? content : answer.error),
      bytes: typeof content === 'string' ? content.length : (content?.byteLength ?? 0),
    }
  },
  wait: ms => new Promise(resolve => void setTimeout(resolve, ms)),
  base64: text => encoding.b64encode(text),
  now: () => Date.now(),
}

function bufferOf(bytes: Uint8Array): ArrayBuffer {
  const { buffer, byteOffset, byteLength } = bytes
  const isWhole = byteOffset === 0 && byteLength === buffer.byteLength
  return (isWhole ? buffer : buffer.slice(byteOffset, byteOffset + byteLength)) as ArrayBuffer
}
