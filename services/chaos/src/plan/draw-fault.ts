import type { Random } from '@lapwing/telemetry/testing/random'
import type { Weather } from '../proxy/fault-proxy.ts'
import { type Fault, LINKS, type Link, type Mishap, type Moment, PROCESSES } from './wave-plan.ts'

/** One fault, at a moment while the clients of a wave are busy. */
export function drawFault(random: Random): Fault {
  const mishap = drawMishap(random)
  return { ...mishap, starts: drawMoment(random, linksOf(mishap)), forMs: drawLengthMs(random, mishap) }
}

function drawMishap(random: Random): Mishap {
  return random.pick<() => Mishap>([
    ...repeat(5, () => ({ kind: 'kill', process: random.pick(PROCESSES) })),
    ...repeat(3, () => ({ kind: 'freeze', process: random.pick(PROCESSES) })),
    ...repeat(3, () => ({ kind: 'cut', link: random.pick(LINKS) })),
    ...repeat(5, () => ({ kind: 'weather', link: random.pick(LINKS), weather: drawWeather(random) })),
    // What a worker says is heard late, when another has taken over or said something newer.
    ...repeat(6, () => ({
      kind: 'weather',
      link: random.pick(LINKS.filter(link => /^worker-. > (?:postgres|leaderboard)$/.test(link))),
      weather: { kind: 'silent', way: random.pick(['there', 'back', 'both']) },
    })),
    ...repeat(2, () => ({ kind: 'wipe redis' })),
    ...repeat(2, () => ({ kind: 'stop redis' })),
    ...repeat(1, () => ({ kind: 'stop store' })),
    ...repeat(2, () => ({ kind: 'stop postgres', how: random.pick(['in order', 'crash']) })),
    ...repeat(2, () => ({ kind: 'deliver again' })),
  ])()
}

function repeat(times: number, draw: () => Mishap): (() => Mishap)[] {
  return Array.from({ length: times }, () => draw)
}

function drawWeather(random: Random): Weather {
  return random.pick<() => Weather>([
    () => ({ kind: 'refusing' }),
    () => ({ kind: 'slow', ms: 20 + random.below(400) }),
    () => ({ kind: 'silent', way: random.pick(['there', 'back', 'both']) }),
    () => ({ kind: 'cutting', afterBytes: random.pick([0, 1 + random.below(200), random.below(200_000)]) }),
  ])()
}

/** Where what it hits can be seen at work. */
function linksOf(mishap: Mishap): readonly Link[] {
  switch (mishap.kind) {
    case 'cut':
    case 'weather':
      return [mishap.link]
    case 'kill':
    case 'freeze':
      return LINKS.filter(
        link => link.startsWith(`${mishap.process} `) || link.endsWith(` ${mishap.process}`),
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
  // From the first byte of a handshake to the middle of some file; only the store sees whole files.
  const most = link.endsWith(' store') ? 1_000_000 : 30_000
  return {
    link,
    way: random.pick(['there', 'back']),
    afterBytes: random.pick([1 + random.below(500), random.below(5_000), random.below(most)]),
  }
}

/** Shorter and longer than a worker's lease; one in ten lasts up to the 20 s in which a part may be away. */
function drawLengthMs(random: Random, mishap: Mishap): number {
  const { kind } = mishap
  if (kind === 'weather' && mishap.weather.kind === 'silent') return 4_500 + random.below(3_500)
  if (kind === 'cut' || kind === 'wipe redis' || kind === 'deliver again') return 0
  if (random.below(10) === 0) return 5_000 + random.below(15_000)
  return random.pick([200 + random.below(2_000), 3_500 + random.below(3_000)])
}
