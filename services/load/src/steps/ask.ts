import type { Answer, Call, Http } from './http.ts'

/** Sends a call and returns the answer if it has an expected status. Throws `Refused` or `Failed` otherwise. */
export async function ask(http: Http, call: Call, ...expected: readonly number[]): Promise<Answer> {
  const answer = await http.send(call)
  if (expected.includes(answer.status)) return answer
  if (isRefusal(answer)) throw new Refused(call.name, answer.status)
  throw new Failed(call.name, `answered ${answer.status || 'nothing'}: ${answer.text().slice(0, 300)}`)
}

/** Parses the body of an answer. Its type is that of the contract, which tests of the services check. */
export function bodyOf<Body>(answer: Answer): Body {
  return JSON.parse(answer.text()) as Body
}

/** Returns whether a service is at its limit and says when to come back. Such an answer is no error. */
function isRefusal({ status, header }: Answer): boolean {
  return (status === 429 || status === 503) && header('retry-after') !== undefined
}

/** A limit answered 429 or 503 with `Retry-After`. The journey ends here; it is counted apart from errors. */
export class Refused extends Error {
  readonly step: string
  readonly status: number

  constructor(step: string, status: number) {
    super(`${step} answered ${status} with Retry-After`)
    this.name = 'Refused'
    this.step = step
    this.status = status
  }
}

/** An answer that no step expects, or a missing one. It fails the run. */
export class Failed extends Error {
  readonly step: string

  constructor(step: string, why: string) {
    super(`${step} ${why}`)
    this.name = 'Failed'
    this.step = step
  }
}
