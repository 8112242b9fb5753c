import type { FastifyInstance } from 'fastify'

/** What must be well for the process to be given work, each by name. A check rejects or answers false when it is not. */
export type HealthChecks = Readonly<Record<string, () => boolean | Promise<boolean>>>

export interface HealthOptions {
  /** Milliseconds a check may take before it counts as not well. */
  readonly timeoutMs?: number
  /** What `/readyz` shows beside its checks, without being decided by it. */
  readonly shown?: Readonly<Record<string, () => unknown>>
}

/**
 * `/healthz`: the event loop turns; a failure means "restart me", so nothing outside is asked.
 * `/readyz`: give me work; false while a dependency is away and from the moment the process drains.
 */
export function addHealth(
  app: FastifyInstance,
  checks: HealthChecks = {},
  { timeoutMs = 2_000, shown = {} }: HealthOptions = {},
): void {
  let draining = false
  app.addHook('preClose', async () => {
    draining = true
  })

  app.get('/healthz', { logLevel: 'warn' }, async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    return { status: 'ok' }
  })

  app.get('/readyz', { logLevel: 'warn' }, async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    const answers = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => [name, await holds(check, timeoutMs)] as const),
    )
    const ready = !draining && answers.every(([, well]) => well)
    reply.code(ready ? 200 : 503)
    return {
      status: draining ? 'draining' : ready ? 'ready' : 'not ready',
      checks: Object.fromEntries(answers),
      ...Object.fromEntries(Object.entries(shown).map(([name, state]) => [name, state()])),
    }
  })
}

async function holds(check: () => boolean | Promise<boolean>, timeoutMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<boolean>(resolve => {
    timer = setTimeout(resolve, timeoutMs, false)
  })
  try {
    return await Promise.race([Promise.resolve(check()), tooLate])
  } catch {
    return false
  } finally {
    clearTimeout(timer)
  }
}
