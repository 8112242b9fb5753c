import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { publicToken } from '@lapwing/e2e/accounts-stack'

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/**
 * Calls identity with as little work as possible, because the client shares the processors with identity.
 * Each call comes from its own network, like those of strangers.
 */
export function callIdentity(
  identityUrl: string,
  path: string,
  body: object,
  as = publicToken,
): Promise<Answer> {
  networks++
  const headers = {
    authorization: `Basic ${btoa(`${publicToken}:${as}`)}`,
    'content-type': 'application/json',
    'x-forwarded-for': `10.${(networks >> 16) & 255}.${(networks >> 8) & 255}.${networks & 255}`,
  }
  return ask(new URL(`/sdk/v1${path}`, identityUrl), 'POST', headers, JSON.stringify(body))
}

let networks = 0

export function readKeys(identityUrl: string): Promise<Answer> {
  return ask(new URL('/.well-known/jwks.json', identityUrl), 'GET', {}, '')
}

export async function timed(
  work: () => Promise<Answer>,
): Promise<{ readonly ms: number; readonly answer: Answer }> {
  const begin = performance.now()
  const answer = await work()
  return { ms: performance.now() - begin, answer }
}

function ask(url: URL, method: string, headers: Record<string, string>, body: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const call = request(url, { method, headers, agent }, answer => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (piece: string) => {
        text += piece
      })
      answer.on('end', () => resolve({ status: answer.statusCode!, headers: answer.headers, body: text }))
      answer.on('error', reject)
    })
    call.on('error', reject)
    call.end(body)
  })
}

const agent = new Agent({ keepAlive: true })
