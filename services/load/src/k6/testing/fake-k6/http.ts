/** The part of `k6/http` that the scripts use, over `fetch`. */
interface Params {
  readonly headers: Readonly<Record<string, string>>
  readonly jar: CookieJar
  readonly timeout: number
  readonly responseType: 'binary' | 'text'
}

class CookieJar {}

async function asyncRequest(method: string, url: string, body: string | ArrayBuffer | null, params: Params) {
  const { headers, jar, timeout, responseType } = params
  if (!(jar instanceof CookieJar)) throw new Error('the call would store cookies')
  try {
    const answer = await fetch(url, {
      method,
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeout),
    })
    return {
      status: answer.status,
      // k6 writes names as `Content-Type`.
      headers: Object.fromEntries(
        [...answer.headers].map(([name, value]) => [name.replaceAll(/\b\w/g, c => c.toUpperCase()), value]),
      ),
      body: responseType === 'binary' ? await answer.arrayBuffer() : await answer.text(),
      error: '',
    }
  } catch (error) {
    return { status: 0, headers: {}, body: null, error: String(error) }
  }
}

export default { asyncRequest, CookieJar }
