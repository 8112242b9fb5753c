import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { create, toBinary } from '@bufbuild/protobuf'
import { createPrincipalSigner, IDENTITY_HEADER } from '@lapwing/auth'
import { type Event, EventSchema } from '@lapwing/contracts/events.pb'
import type { operations } from '@lapwing/contracts/upload'
import { createEventDelivery } from '@lapwing/events'
import type { DemoDriver } from './draw-entries.ts'

/** Addresses of the services that store data of a driver. */
export interface DemoAddresses {
  readonly upload: string
  readonly ingest: string
  readonly leaderboard: string
}

/** Does for demo drivers what the gateway and account do for real ones. It calls the services directly. */
export interface DemoClient {
  /** Publishes the driver's name to leaderboard. */
  publishName(driver: DemoDriver): Promise<void>
  /**
   * Uploads a file like the page does and waits until it is judged. Returns false if ingest refuses it
   * because drivers have agreed where its track lies. Throws if a step returns an unexpected answer.
   */
  uploadFile(userId: string, file: Uint8Array): Promise<boolean>
  /** Notifies every service that the account is deleted; they delete all its data. */
  deleteAccount(userId: string): Promise<void>
}

export function createDemoClient(addresses: DemoAddresses, internalKey: string): DemoClient {
  const key = new TextEncoder().encode(internalKey)
  const sign = createPrincipalSigner(key)
  const deliver = createEventDelivery(key)

  async function call<Answer>(userId: string, url: string, body?: object): Promise<[number, Answer]> {
    const answer = await fetch(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        [IDENTITY_HEADER]: await sign({ userId, sessionId: 'session-of-make-demo', roles: [] }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(70_000),
    })
    const answered = (await answer.json()) as Answer & { readonly detail?: string; readonly code?: string }
    if (!answer.ok) throw new RefusedCall(new URL(url).pathname, answer.status, answered)
    return [answer.status, answered]
  }

  /** Waits until an uploaded file is judged. */
  async function judge(userId: string, uploaded: { readonly sessionId: string; readonly key: string }) {
    const { ingest } = addresses
    let [status, judged] = await call<Judged>(userId, `${ingest}/api/laps/ingest-best-from-session`, uploaded)
    while (status === 202) {
      await delay(1_000)
      ;[status, judged] = await call<Judged>(userId, `${ingest}/api/laps/ingests/${judged.ingest_id}`)
    }
    return judged
  }

  async function publish(service: keyof DemoAddresses, payload: Event['payload']): Promise<void> {
    const event = create(EventSchema, { id: randomUUID(), occurredAtMs: BigInt(Date.now()), payload })
    const status = await deliver(new URL(addresses[service]), toBinary(EventSchema, event))
    if (status !== 204) throw new Error(`${service} rejected an event: ${status}`)
  }

  return {
    publishName: ({ userId, name }) =>
      publish('leaderboard', {
        case: 'usernameChanged',
        value: { $typeName: 'lapwing.events.v1.UsernameChanged', userId, username: name },
      }),
    async uploadFile(userId, file) {
      const [, ticket] = await call<Ticket>(userId, `${addresses.upload}/api/v1/upload/init`, {
        filename: 'demo.ibt',
        size: file.byteLength,
        contentType: 'application/octet-stream',
      })
      const form = new FormData()
      for (const [name, value] of Object.entries(ticket.fields)) form.append(name, value)
      form.append('file', new Blob([file as Uint8Array<ArrayBuffer>]), 'demo.ibt')
      const posted = await fetch(ticket.url, {
        method: 'POST',
        body: form,
        signal: AbortSignal.timeout(30_000),
      })
      await posted.body?.cancel()
      if (!posted.ok) throw new Error(`the object store answered ${posted.status}`)

      const { sessionId, key: uploadedKey } = ticket
      await call(userId, `${addresses.upload}/api/v1/upload/complete`, { sessionId, key: uploadedKey })
      try {
        const judged = await judge(userId, { sessionId, key: uploadedKey })
        if (judged.skipped !== undefined) throw new Error(`a demo file was skipped: ${judged.skipped}`)
        return true
      } catch (error) {
        if (error instanceof RefusedCall && REFUSED_FOR_LOCATION.includes(error.code)) return false
        throw error
      }
    },
    async deleteAccount(userId) {
      for (const service of ['upload', 'ingest', 'leaderboard'] as const) {
        await publish(service, {
          case: 'accountDeleted',
          value: { $typeName: 'lapwing.events.v1.AccountDeleted', userId },
        })
      }
    },
  }
}

type Ticket = operations['initUpload']['responses'][200]['content']['application/json']

interface Judged {
  readonly ingest_id: string
  readonly skipped?: string
}

const REFUSED_FOR_LOCATION: readonly unknown[] = ['ingest.driven_elsewhere', 'ingest.place_unknown']

class RefusedCall extends Error {
  readonly code: string | undefined

  constructor(path: string, status: number, problem: { readonly detail?: string; readonly code?: string }) {
    super(`${path} answered ${status}: ${problem.detail}`)
    this.name = 'RefusedCall'
    this.code = problem.code
  }
}
