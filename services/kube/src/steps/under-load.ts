import { setTimeout as delay } from 'node:timers/promises'
import type { LoadFigures, LoadName } from '../client/protocol.ts'
import type { Client } from '../client/start-client.ts'
import { type Namespace, openNamespace } from '../cluster/namespace.ts'
import type { Step } from '../run-steps.ts'
import { accessOf, clientOf, MAIN, RELEASE, type World } from '../world.ts'

/** Something that happens to a release while drivers use it. */
export interface Disturbance {
  readonly name: string
  readonly load: LoadName
  /** Whether services may answer 429 or 503 with Retry-After meanwhile, because they cannot work. */
  readonly mayRefuse?: boolean
  /** Resolves when the release is whole again. Returns further figures. */
  readonly disturb: (world: World, namespace: Namespace, client: Client) => Promise<string>
}

/** Makes a disturbance a step, which fails if a request did. */
export function underLoad(disturbance: Disturbance): Step<World> {
  return {
    name: disturbance.name,
    run: world => disturbUnderLoad(world, openNamespace(MAIN, accessOf(world)), disturbance),
  }
}

/** Disturbs the release of a namespace. Returns figures. Rejects if a request failed. */
export async function disturbUnderLoad(
  world: World,
  namespace: Namespace,
  { load, mayRefuse = false, disturb }: Omit<Disturbance, 'name'>,
): Promise<string> {
  const client = await clientOf(world, namespace)
  await client.call('begin', { scenario: load, rate: world.options.rate })
  let more: string
  let figures: LoadFigures
  try {
    await delay(AROUND_MS, undefined, { signal: world.signal })
    more = await disturb(world, namespace, client)
    await delay(AROUND_MS, undefined, { signal: world.signal })
  } finally {
    figures = await client.call('end', { scenario: load })
  }
  const problems = [...problemsOf(figures, mayRefuse), ...(await heldLaps(namespace, figures))]
  const text = [more, formatFigures(figures)].filter(Boolean).join('; ')
  if (problems.length > 0) throw new Error([...problems, text].join('; '))
  return text
}

/** Returns why laps wait for a moderator, if a journey failed because of that. No client may know the reasons. */
async function heldLaps({ kubectl }: Namespace, { failures }: LoadFigures): Promise<readonly string[]> {
  if (!failures.some(failure => failure.includes('held_for_review'))) return []
  const said = await kubectl([
    'exec',
    `deployment/${RELEASE}-ingest`,
    '--',
    'node',
    'src/moderate.ts',
    'held',
  ])
  return [`held: ${said.trim()}`]
}

/** Load before and after it, so that both are part of the figures. */
const AROUND_MS = 3_000

/** Returns what a disturbance must not cause, in words. */
export function problemsOf(figures: LoadFigures, mayRefuse: boolean): readonly string[] {
  const { requests, refused, failed, dropped, oldestFileS, failures } = figures
  return [
    ...(requests === 0 ? ['no request was made'] : []),
    ...(failed > 0 ? [`${failed} journeys failed: ${failures.join(' | ')}`] : []),
    ...(refused > 0 && !mayRefuse ? [`${refused} journeys were refused`] : []),
    ...(dropped > 0 ? [`${dropped} journeys did not start`] : []),
    ...(oldestFileS === null ? ['no pod showed how old its files are'] : []),
    ...((oldestFileS ?? 0) >= OLDEST_FILE_S ? [`a file waited ${oldestFileS?.toFixed(0)} s`] : []),
  ]
}

const OLDEST_FILE_S = 60

export function formatFigures(figures: LoadFigures): string {
  const { requests, journeys, seconds, refused, failed, slowestMs, oldestFileS, otherAnswers } = figures
  const others = Object.entries(otherAnswers).map(([answer, count]) => `${answer} ×${count}`)
  return [
    `${requests} requests of ${journeys} journeys in ${seconds.toFixed(0)} s`,
    `failed ${failed}, refused ${refused}`,
    `slowest journey ${(slowestMs / 1000).toFixed(1)} s, oldest file ${oldestFileS?.toFixed(0) ?? '?'} s`,
    ...(others.length === 0 ? [] : [others.join(', ')]),
  ].join('; ')
}
