import type { Random } from '@lapwing/simulator/random'
import type { LinkCondition } from '../proxy/fault-proxy.ts'
import { type Disturbance, type Fault, LINKS, type Link, type Moment, PROCESSES } from './wave-plan.ts'

/** Draws one fault, at a moment while the clients of a wave work. */
export function drawFault(random: Random): Fault {
  const disturbance = drawDisturbance(random)
  return {
    ...disturbance,
    starts: drawMoment(random, linksOf(disturbance)),
    forMs: drawLengthMs(random, disturbance),
  }
}

function drawDisturbance(random: Random): Disturbance {
  return random.pick<() => Disturbance>([
    ...repeat(5, () => ({ kind: 'kill', process: random.pick(PROCESSES) })),
    ...repeat(3, () => ({ kind: 'freeze', process: random.pick(PROCESSES) })),
    ...repeat(3, () => ({ kind: 'cut', link: random.pick(LINKS) })),
    ...repeat(5, () => ({ kind: 'condition', link: random.pick(LINKS), condition: drawCondition(random) })),
    // A worker's message arrives late, after another worker has taken over or sent something newer.
    ...repeat(6, () => ({
      kind: 'condition',
      link: random.pick(LINKS.filter(link => /^worker-. > (?:postgres|leaderboard)$/.test(link))),
      condition: { kind: 'silent', way: random.pick(['there', 'back', 'both']) },
    })),
    ...repeat(2, () => ({ kind: 'wipe redis' })),
    ...repeat(2, () => ({ kind: 'stop redis' })),
    ...repeat(1, () => ({ kind: 'stop store' })),
    ...repeat(2, () => ({ kind: 'stop postgres', how: random.pick(['in order', 'crash']) })),
    ...repeat(2, () => ({ kind: 'deliver again' })),
  ])()
}

function repeat(times: number, draw: () => Disturbance): (() => Disturbance)[] {
  return Array.from({ length: times }, () => draw)
}

function drawCondition(random: Random): LinkCondition {
  return random.pick<() => LinkCondition>([
    () => ({ kind: 'refusing' }),
    () => ({ kind: 'slow', ms: 20 + random.below(400) }),
    () => ({ kind: 'silent', way: random.pick(['there', 'back', 'both']) }),
    () => ({ kind: 'cutting', afterBytes: random.pick([0, 1 + random.below(200), random.below(200_000)]) }),
  ])()
}

/** Returns the links that show the fault's target at work. */
function linksOf(disturbance: Disturbance): readonly Link[] {
  switch (disturbance.kind) {
    case 'cut':
    case 'condition':
      return [disturbance.link]
    case 'kill':
    case 'freeze':
      return LINKS.filter(
        link => link.startsWith(`${disturbance.process} `) || link.endsWith(` ${disturbance.process}`),
      )
    case 'wipe redis':
    case 'stop redis':
    case 'deliver again':
      return LINKS.filter(link => link.endsWith(' redis'))
    case 'stop store':
      return LINKS.filter(link => link.endsWith(' store'))
    case 'stop postgres':
      return LINKS.filter(link => link.endsWith(' postgres'))
  }
}

function drawMoment(random: Random, links: readonly Link[]): Moment {
  if (random.below(2) === 0) return { afterMs: random.below(4_000) }
  const link = random.pick(links)
  // From the first byte of a handshake to the middle of a file; only the store's links see whole files.
  const most = link.endsWith(' store') ? 1_000_000 : 30_000
  return {
    link,
    way: random.pick(['there', 'back']),
    afterBytes: random.pick([1 + random.below(500), random.below(5_000), random.below(most)]),
  }
}

/** Draws the fault's duration, ms: shorter and longer than a worker's lease. One in ten lasts up to 20 s. */
function drawLengthMs(random: Random, disturbance: Disturbance): number {
  const { kind } = disturbance
  if (kind === 'condition' && disturbance.condition.kind === 'silent') return 4_500 + random.below(3_500)
  if (kind === 'cut' || kind === 'wipe redis' || kind === 'deliver again') return 0
  if (random.below(10) === 0) return 5_000 + random.below(15_000)
  return random.pick([200 + random.below(2_000), 3_500 + random.below(3_000)])
}
