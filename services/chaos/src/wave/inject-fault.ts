import { setTimeout as delay } from 'node:timers/promises'
import type { Fault, Moment } from '../plan/wave-plan.ts'
import type { World } from '../world/world.ts'
import { deliverAgain } from './deliver-again.ts'

/**
 * Starts a fault at its moment and ends it after its duration. Returns false without a fault if `calm` fires
 * first; a started fault is always completed.
 */
export async function injectFault(world: World, fault: Fault, calm: AbortSignal): Promise<boolean> {
  if (!(await comes(world, fault.starts, calm))) return false
  const undo = await begin(world, fault)
  await delay(fault.forMs)
  await undo()
  return true
}

async function comes(world: World, moment: Moment, calm: AbortSignal): Promise<boolean> {
  if (calm.aborted) return false
  const over = Promise.withResolvers<void>()
  calm.addEventListener('abort', () => over.resolve(), { once: true })
  const here =
    'afterMs' in moment
      ? delay(moment.afterMs)
      : world.links[moment.link].passed(moment.way, moment.afterBytes)
  await Promise.race([here, over.promise])
  return !calm.aborted
}

type Undo = () => Promise<void> | void

async function begin(world: World, fault: Fault): Promise<Undo> {
  const { servers, processes, links } = world
  switch (fault.kind) {
    case 'kill': {
      const killed = processes[fault.process]
      killed.kill()
      // Repeatedly, so that it stays down for the whole fault.
      const again = setInterval(killed.kill, 100)
      return () => clearInterval(again)
    }
    case 'freeze':
      processes[fault.process].freeze()
      return processes[fault.process].thaw
    case 'cut':
      links[fault.link].cut()
      return () => {}
    case 'condition':
      links[fault.link].setCondition(fault.condition)
      return () => links[fault.link].setCondition({ kind: 'fair' })
    case 'wipe redis':
      await servers.redis.wipe()
      return () => {}
    case 'stop redis':
      await servers.redis.stop('crash')
      return servers.redis.start
    case 'stop store':
      await servers.store.stop('crash')
      return servers.store.start
    case 'stop postgres':
      await servers.postgres.stop(fault.how)
      return servers.postgres.start
    case 'deliver again':
      await deliverAgain(world)
      return () => {}
  }
}

/** Ends every fault. */
export async function heal({ servers, processes, links }: World): Promise<void> {
  for (const link of Object.values(links)) link.setCondition({ kind: 'fair' })
  for (const one of Object.values(processes)) one.thaw()
  await Promise.all([servers.postgres.start(), servers.redis.start(), servers.store.start()])
}
