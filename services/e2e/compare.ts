import { makeSampleSession } from '@lapwing/simulator/sample'
import { bytesSource, type Lap, type Preview, previewSession } from '@lapwing/telemetry'
import { encodeReference, type LapTrack, lapTrack } from '@lapwing/telemetry/compare'
import type { Locator, Page } from 'playwright-core'
import type { FakeBoards } from '../../frontend/src/testing/fake-boards.ts'
import { aDriverWhoComesBack, untilSignedIn } from './accounts.ts'
import { fakeBoards } from './fake-boards.ts'
import { openFirstVisit, screen } from './screen.ts'

/** The session that "Try a sample session" loads, read like the page reads it. */
export const sample: Preview = await previewSession(bytesSource(makeSampleSession()))

/** Its complete laps, the fastest first: 5, 4, 2, 1, 3. */
export const sampleLaps: readonly Lap[] = sample.laps
  .filter(lap => lap.is_completed)
  .sort((a, b) => a.time_s! - b.time_s!)

const bestMs = Math.round(1000 * sampleLaps[0]!.time_s!)

const { sim, track_slug, layout, car_slug, track_label, car_label } = sample.meta
export const sampleBoard = { sim, track_slug, layout, car_slug, track_label, car_label }

/** Elements of compare mode. */
export const compare = {
  toggle: (page: Page) => page.getByRole('switch', { name: 'Compare Laps' }),
  card: (page: Page) => page.getByRole('region', { name: 'Reference Laps' }),
  fromSession: (page: Page) => page.getByRole('switch', { name: 'From Session' }),
  reference: (page: Page) => page.getByRole('combobox', { name: 'Reference lap' }),
  gauges: (page: Page) => page.getByRole('region', { name: 'Reference Lap Telemetry' }),
  corners: (page: Page) => page.getByRole('region', { name: 'Where the time goes' }),
  /** Rows of every part of the lap, in the order shown. */
  parts: (page: Page) => compare.corners(page).locator('tbody button'),
  /** Rows of single corners, in the order shown. */
  corner: (page: Page) => compare.corners(page).getByRole('button', { name: /^Turn \d+$/ }),
  catchAhead: (page: Page) => page.getByRole('button', { name: 'Chase a lap 1 s faster' }),
}

/** Adds two drivers who are faster than the sample's: by a second, and by more than two. */
export async function boardsOfSample(page: Page): Promise<FakeBoards> {
  const boards = await fakeBoards(page)
  boards.addEntries(sampleBoard, [
    { userId: 'user-slipstream', name: 'slipstream', timeMs: bestMs - 2400 },
    { userId: 'user-kerbrider', name: 'kerbrider', timeMs: bestMs - 1010 },
  ])
  return boards
}

/** Opens the sample session as a signed-in driver whose best lap is third on its board. */
export async function openSampleAsDriver(page: Page): Promise<FakeBoards> {
  const boards = await boardsOfSample(page)
  const { session } = await aDriverWhoComesBack(page)
  boards.addEntries(sampleBoard, [{ userId: session.user_id, name: 'apexhunter', timeMs: bestMs }])
  await openFirstVisit(page)
  await untilSignedIn(page)
  await screen.trySample(page).click()
  await screen.laps(page).first().waitFor()
  return boards
}

/** Returns the loss of a part of the lap, of its button in the table, in milliseconds. */
export async function lossOf(part: Locator): Promise<number> {
  return msOf(await part.locator('xpath=ancestor::tr').getByRole('cell').last().textContent())
}

export async function turnOn(page: Page): Promise<void> {
  await compare.toggle(page).click()
  await compare.gauges(page).waitFor()
}

/** Sorts the table by place. It begins with what cost most. */
export async function inDrivingOrder(page: Page): Promise<void> {
  await compare.corners(page).getByRole('button', { name: 'Corner', exact: true }).click()
}

/** Answers the next request for a reference with this lap, whatever lap it asks for. */
export function answerReference(boards: FakeBoards, track: LapTrack, combination = sampleBoard): void {
  const asked = /^GET \/laps\/([^/]+)\/reference$/
  boards.answerNext(asked, () => {
    const lapId = asked.exec(boards.calls.findLast(({ what }) => asked.test(what))!.what)![1]!
    const facts = { lapId, userId: 'user-1', timeSource: 'official', combination } as const
    return new Response(encodeReference(track, facts), {
      headers: { 'content-type': 'application/x-protobuf' },
    })
  })
}

export function trackOf(preview: Preview, lap: Lap): LapTrack {
  const track = lapTrack(preview, lap)
  if (!track) throw new Error(`Lap ${lap.lap} is not whole.`)
  return track
}

/** Returns the lap with fewer points, like one of another session. */
export function thinned(track: LapTrack, points: number): LapTrack {
  const last = track.pct.length - 1
  const pick = <T extends Float64Array | Float32Array>(values: T, type: new (length: number) => T): T => {
    const picked = new type(points)
    for (let i = 0; i < points; i++) picked[i] = values[Math.round((i * last) / (points - 1))]!
    return picked
  }
  const pct = Float64Array.from({ length: points }, (_, i) => i / (points - 1))
  const time = pick(track.time, Float64Array)
  return { lengthM: track.lengthM, timeMs: track.timeMs, pct, time, speed: pick(track.speed!, Float32Array) }
}

/** Returns "+0.317" or "−0.041" as milliseconds. */
export function msOf(text: string | null): number {
  const found = /([+−]?)(\d+)\.(\d{3})/.exec(text ?? '')
  if (!found) throw new Error(`No delta in "${text}".`)
  return (found[1] === '−' ? -1 : 1) * Number(found[2]! + found[3]!)
}

/** Returns the milliseconds of the sentence above the traces. */
export async function gapAtLine(page: Page): Promise<number> {
  return msOf(await page.getByText(/^[+−]?\d+\.\d{3} s at the line/).textContent())
}

/** Waits for a toast with this sentence. */
export async function toast(page: Page, sentence: string): Promise<void> {
  await screen.toast(page).getByText(sentence, { exact: true }).first().waitFor()
}
