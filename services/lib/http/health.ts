import { watchLevels } from '@lapwing/metrics'
import type { FastifyInstance } from 'fastify'

/**
 * Named checks that must hold before the process gets work. A check returns true if it holds. If it fails, it
 * returns the sentence that tells an operator what to do, or returns false, or rejects.
 */
export type HealthChecks = Readonly<Record<string, () => Verdict | Promise<Verdict>>>
type Verdict = boolean | string

export interface HealthOptions {
  /** Milliseconds after which a check counts as failed. */
  readonly timeoutMs?: number
  /** Values that `/readyz` shows beside its checks, without effect on its status. */
  readonly shown?: Readonly<Record<string, () => unknown>>
}

/**
 * Adds two routes. `/healthz`: the event loop runs; a failure means "restart me", so it checks nothing
 * outside. `/readyz`: send me work; 503 while a dependency is down and from the moment the process drains.
 * The checks also run once when the process starts to listen, and for `/metrics`. Logs each new sentence of a
 * failed check.
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

  const problems = new Map<string, string>()
  const note = (name: string, verdict: Verdict) => {
    if (typeof verdict === 'string' && problems.get(name) !== verdict) {
      app.log.error({ check: name }, `not ready: ${verdict}`)
    }
    if (typeof verdict === 'string') problems.set(name, verdict)
    else problems.delete(name)
  }
  /** Returns whether each check holds. Afterwards `problems` has the sentences of those that do not. */
  async function runChecks(withinMs = timeoutMs): Promise<readonly (readonly [string, boolean])[]> {
    return Promise.all(
      Object.entries(checks).map(async ([name, check]) => {
        const verdict = await within(check, withinMs)
        note(name, verdict)
        return [name, verdict === true] as const
      }),
    )
  }
  let removeLevels = () => {}
  // Not awaited: a slow check must not delay the start.
  app.addHook('onListen', done => {
    void runChecks()
    removeLevels = watchLevels([
      {
        name: 'lapwing_ready',
        help: 'Whether a check of /readyz holds (1) or not (0).',
        labels: ['check'],
        validForMs: 5_000,
        // Shorter than a scrape waits for a level, so that a slow check is a failed one there too.
        read: async () =>
          (await runChecks(Math.min(timeoutMs, 1_500))).map(([check, holds]) => ({
            labels: { check },
            value: holds ? 1 : 0,
          })),
      },
    ])
    done()
  })
  app.addHook('onClose', async () => removeLevels())

  app.get('/readyz', { logLevel: 'warn' }, async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    const answers = await runChecks()
    const ready = !draining && answers.every(([, holds]) => holds)
    reply.code(ready ? 200 : 503)
    return {
      status: draining ? 'draining' : ready ? 'ready' : 'not ready',
      checks: Object.fromEntries(answers),
      ...(problems.size > 0 && { problems: Object.fromEntries(problems) }),
      ...Object.fromEntries(Object.entries(shown).map(([name, state]) => [name, state()])),
    }
  })
}

async function within(check: () => Verdict | Promise<Verdict>, timeoutMs: number): Promise<Verdict> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<Verdict>(resolve => {
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
