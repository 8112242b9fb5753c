import type { FastifyInstance } from 'fastify'

/** Named checks that must hold before the process gets work. A check rejects or returns false if it fails. */
export type HealthChecks = Readonly<Record<string, () => boolean | Promise<boolean>>>

export interface HealthOptions {
  /** Milliseconds after which a check counts as failed. */
  readonly timeoutMs?: number
  /** Values that `/readyz` shows beside its checks, without effect on its status. */
  readonly shown?: Readonly<Record<string, () => unknown>>
}

/**
 * Adds two routes. `/healthz`: the event loop runs; a failure means "restart me", so it checks nothing
 * outside. `/readyz`: send me work; 503 while a dependency is down and from the moment the process drains.
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
