import { createHash } from 'node:crypto'
import { fromBinary } from '@bufbuild/protobuf'
import { bindContract, type Handler } from '@lapwing/contracts/bind'
import { type Event, EventSchema } from '@lapwing/contracts/events.pb'
import type { operations } from '@lapwing/contracts/internal'
import internalContract from '@lapwing/contracts/internal.json' with { type: 'json' }
import type { FastifyInstance } from 'fastify'
import { type Kysely, sql, type Transaction } from 'kysely'
import { createEventVerifier } from './sign-event.ts'

/** Where a service receives events; see `openapi/internal.yaml`. */
export const EVENTS_PATH = '/internal/events'

type Payloads = {
  [Case in NonNullable<Event['payload']['case']>]: Extract<Event['payload'], { case: Case }>['value']
}

/**
 * What a service does for the events it cares about, inside the transaction that remembers the event.
 * What a handler gives is called once after the commit, before the sender is answered; a process that
 * ends in between never calls it.
 */
export type EventHandlers<Schema> = {
  readonly [Case in keyof Payloads]?: (
    trx: Transaction<Schema>,
    payload: Payloads[Case],
    event: Event,
  ) => Promise<AfterCommit>
}

/** Most handlers give nothing. */
type AfterCommit = void | (() => Promise<void>)

/**
 * Takes events on `POST /internal/events`: each id has its effect exactly once, because the id and
 * the effect are committed together. 204 when it is done (now or before), 401 for a stranger, 400 for
 * bytes that are no event. An event nobody here cares about is taken and forgotten.
 */
export function receiveEvents<Schema>(
  app: FastifyInstance,
  options: {
    readonly db: Kysely<Schema>
    readonly key: Uint8Array
    readonly handlers: EventHandlers<Schema>
  },
): void {
  const verify = createEventVerifier(options.key)
  app.register(async scope => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/x-protobuf', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    )
    const receiveEvent: Handler<operations['receiveEvent']> = async (request, reply) => {
      const body = request.body as Buffer
      const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1]
      const digest = createHash('sha256').update(body).digest('base64url')
      if (token === undefined || !(await verify(token, digest))) return reply.code(401).send()
      const event = parse(body)
      if (event === null) return reply.code(400).send()
      const afterCommit = await options.db.transaction().execute(async trx => {
        const { rows } =
          await sql`insert into event_inbox (event_id) values (${event.id}) on conflict do nothing returning event_id`.execute(
            trx,
          )
        if (rows.length === 0) return
        const { payload } = event
        if (payload.case === undefined) return
        const handler = options.handlers[payload.case] as
          | ((trx: Transaction<Schema>, value: unknown, event: Event) => Promise<AfterCommit>)
          | undefined
        return handler?.(trx, payload.value, event)
      })
      await afterCommit?.()
      return reply.code(204).send()
    }
    bindContract<Pick<operations, 'receiveEvent'>>(
      scope,
      internalContract,
      { receiveEvent },
      {
        exactAddresses: true,
        tag: 'events',
        routes: { receiveEvent: { bodyLimit: 64 * 1024 } },
      },
    )
  })
}

function parse(body: Buffer): Event | null {
  try {
    const event = fromBinary(EventSchema, body)
    return /^[0-9a-f-]{36}$/.test(event.id) ? event : null
  } catch {
    return null
  }
}
