/**
 * The client in the cluster. It makes the journeys of `services/load` beside the gateway, so that no forwarded port
 * or load balancer is part of the result. `kubectl exec` runs it.
 */
import { createInterface } from 'node:readline'
import { createClientCalls } from './client-calls.ts'
import type { ClientReply, ClientRequest } from './protocol.ts'

const calls = createClientCalls(process.argv[2]!)

for await (const line of createInterface({ input: process.stdin })) {
  const { call, args } = JSON.parse(line) as ClientRequest
  let reply: ClientReply
  try {
    const perform = calls[call] as (args: unknown) => Promise<unknown>
    reply = { result: (await perform(args)) ?? null }
  } catch (error) {
    reply = { error: error instanceof Error ? error.message : String(error) }
  }
  console.log(JSON.stringify(reply))
}
process.exit()
