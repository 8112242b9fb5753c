/** A request of a step. */
export interface Call {
  /** Name in reports, such as `page`. Has few values: an id is never part of it. */
  readonly name: string
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Absolute address. */
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** Text is sent as UTF-8. */
  readonly body?: string | Uint8Array
  /** Milliseconds until the whole answer must have arrived; 30 s if left out. */
  readonly withinMs?: number
}

export interface Answer {
  /** 0 if no answer arrived: the connection failed, or the time was over. */
  readonly status: number
  /** Returns a header by its name in lower case. */
  readonly header: (name: string) => string | undefined
  /** Returns the body as text; empty for a compressed or binary body. */
  readonly text: () => string
  /** Bytes of the body as it arrived. */
  readonly bytes: number
}

/** All that a step needs from its surroundings. One adapter exists for Node, and one for k6. */
export interface Http {
  /** Sends a call. Resolves with status 0 instead of rejecting. */
  readonly send: (call: Call) => Promise<Answer>
  readonly wait: (ms: number) => Promise<void>
  /** Returns ASCII text in base64. */
  readonly base64: (text: string) => string
  /** Milliseconds since 1970. */
  readonly now: () => number
}

export const CALL_WITHIN_MS = 30_000
