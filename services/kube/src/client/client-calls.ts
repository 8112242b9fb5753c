import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { ask } from '@lapwing/load/ask'
import { findBoards, readRows } from '@lapwing/load/boards'
import { createClients } from '@lapwing/load/clients'
import { keepSession } from '@lapwing/load/drivers'
import { trackOf } from '@lapwing/load/world'
import { createLane, type Lane, type LaneState } from './lane.ts'
import type { ClientCalls, ClientName, LoadName } from './protocol.ts'
import { readMetrics } from './read-metrics.ts'

type Async = {
  readonly [Name in ClientName]: (
    ...args: Parameters<ClientCalls[Name]>
  ) => Promise<ReturnType<ClientCalls[Name]>>
}

/** Returns the calls for the Lapwing whose gateway has this origin. */
export function createClientCalls(origin: string): Async {
  const clients = createClients({ connections: CONNECTIONS })
  const http = clients.unmeasured
  const lanes = new Map<LoadName, Lane>()
  const lane = (name: LoadName): Lane => {
    const found = lanes.get(name)
    if (found === undefined) throw new Error(`nobody has set ${name} up`)
    return found
  }
  const states = () => [...lanes.values()].map(({ state }) => state())

  return {
    async setUp({ scenario, sendsAgain = false }) {
      const own = sendsAgain ? createClients({ connections: CONNECTIONS, sendsAgain }) : clients
      const made = await createLane({ clients: own, origin, scenario })
      lanes.set(scenario, made)
      const { world } = made.state()
      return { drivers: world.drivers.length, laps: world.saved.length, rows: await made.verify() }
    },
    async begin({ scenario, rate }) {
      lane(scenario).begin(rate)
      return null
    },
    end: ({ scenario }) => lane(scenario).end(),
    async untilJudging({ scenario }) {
      const { isJudging } = lane(scenario)
      const deadline = performance.now() + JUDGING_WITHIN_MS
      // The metrics are up to 10 s old, and a file takes less.
      while (!isJudging()) {
        if (performance.now() > deadline) throw new Error('no worker judged a file')
        await delay(20)
      }
      return null
    },
    verify: async ({ scenario }) => ({ rows: await lane(scenario).verify() }),
    async readBoards() {
      const hash = createHash('sha256')
      let boards = 0
      let rows = 0
      for (const { world } of states()) {
        const { target } = world
        const driver = await keepSession(http, target, world.drivers[0]!)
        for (const board of await findBoards(http, target, driver, trackOf(world.run))) {
          const listed = await readRows(http, target, driver, board)
          const seen = listed.map(row => [row.rank, row.user_id, row.lap_id, row.best_lap_time_ms])
          hash.update(JSON.stringify([board.trackSlug, board.layout, board.carSlug, seen]))
          boards++
          rows += listed.length
        }
      }
      return { boards, rows, sha256: hash.digest('hex') }
    },
    async renewSessions() {
      let sessions = 0
      for (const { world } of states()) {
        for (const driver of world.drivers) {
          // As if the token were old: the session itself must still exist.
          await keepSession(http, world.target, { ...driver, tokenAtMs: 0 })
          sessions++
        }
      }
      return { sessions }
    },
    async requestMail() {
      const { target, drivers } = lane('mixed').state().world
      const { publicToken, identityUrl } = target
      const { email, network } = drivers[0]!
      await ask(
        http,
        {
          name: 'request mail',
          method: 'POST',
          url: `${identityUrl}/sdk/v1/passwords/email/reset/start`,
          headers: {
            authorization: `Basic ${http.base64(`${publicToken}:${publicToken}`)}`,
            'content-type': 'application/json',
            'x-forwarded-for': network,
          },
          body: JSON.stringify({ email }),
        },
        200,
      )
      return null
    },
    async countMails() {
      const series = await readMetrics()
      const sent = series
        .filter(({ name, labels }) => name === 'lapwing_mails_total' && labels.outcome === 'sent')
        .reduce((sum, { value }) => sum + value, 0)
      // Each pod counts the same table.
      const waiting = series
        .filter(({ name, labels }) => name === 'lapwing_outbox_messages' && labels.outbox === 'mails')
        .reduce((most, { value }) => Math.max(most, value), 0)
      return { sent, waiting }
    },
    world: async () => Object.fromEntries([...lanes].map(([name, { state }]) => [name, state()])),
    async adopt({ world }) {
      for (const [name, state] of Object.entries(world as Record<LoadName, LaneState>)) {
        const scenario = name as LoadName
        lanes.set(scenario, await createLane({ clients, origin, scenario, state }))
      }
      return null
    },
  }
}

const CONNECTIONS = 256
const JUDGING_WITHIN_MS = 30_000
