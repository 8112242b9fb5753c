import { exactly, fieldsOf, listOf, parseJson, type Shape, someText } from '#shared/api/shapes.ts'
import { parseTerm } from './channel-term.ts'

/** `lines`: over the lap, in one chart. `each`: the same in a small chart each. `scatter`: the second over the first. */
export const CHART_KINDS = ['lines', 'each', 'scatter', 'histogram'] as const
export type ChartKind = (typeof CHART_KINDS)[number]

export interface Chart {
  readonly kind: ChartKind
  /** Terms of `channel-term.ts`: one for a histogram, two for a scatter, x first. */
  readonly channels: readonly string[]
}

export interface ChartPage {
  readonly name: string
  readonly charts: readonly Chart[]
}

/** The pages as they are stored and exported. */
interface StoredPages {
  readonly version: 1
  readonly pages: readonly ChartPage[]
}

/** As many as a screen can show apart. */
export const MAX_CHANNELS = 8
export const MAX_CHARTS = 40
export const MAX_PAGES = 40
export const MAX_NAME = 40

/** Returns how many channels a kind of chart draws. */
export function channelLimits(kind: ChartKind): { readonly least: number; readonly most: number } {
  if (kind === 'scatter') return { least: 2, most: 2 }
  return { least: 1, most: kind === 'histogram' ? 1 : MAX_CHANNELS }
}

const isChart: Shape<Chart> = (value): value is Chart =>
  fieldsOf<Chart>({ kind: exactly(...CHART_KINDS), channels: listOf(isTerm) })(value) && hasItsChannels(value)

function isTerm(value: unknown): value is string {
  return typeof value === 'string' && parseTerm(value) !== null
}

function hasItsChannels({ kind, channels }: Chart): boolean {
  const { least, most } = channelLimits(kind)
  return channels.length >= least && channels.length <= most && new Set(channels).size === channels.length
}

const isName: Shape<string> = (value): value is string =>
  someText(value) && value.length <= MAX_NAME && value.trim() === value

const isStored = fieldsOf<StoredPages>({
  version: (value): value is 1 => value === 1,
  pages: listOf(
    fieldsOf<ChartPage>({
      name: isName,
      charts: (value): value is readonly Chart[] => listOf(isChart)(value) && value.length <= MAX_CHARTS,
    }),
  ),
})

/** Parses stored or exported pages; null for any other text. Names of pages are unique. */
export function parsePages(text: string | null): readonly ChartPage[] | null {
  const pages = parseJson(isStored, text)?.pages
  if (!pages || pages.length === 0 || pages.length > MAX_PAGES) return null
  return new Set(pages.map(({ name }) => name)).size === pages.length ? pages : null
}

/** Returns the text that `parsePages` accepts, for people to read, too. */
export function formatPages(pages: readonly ChartPage[], indent = 0): string {
  return JSON.stringify({ version: 1, pages } satisfies StoredPages, null, indent)
}

const wheels = (of: string) => ['LF', 'RF', 'LR', 'RR'].map(wheel => `${wheel}${of}`)
const lines = (...channels: string[]): Chart => ({ kind: 'lines', channels })
const each = (...channels: string[]): Chart => ({ kind: 'each', channels })
const scatter = (x: string, y: string): Chart => ({ kind: 'scatter', channels: [x, y] })
const histogram = (channel: string): Chart => ({ kind: 'histogram', channels: [channel] })

/** Pairs of channels that drivers look at often. */
export const SCATTERS = [
  { name: 'g-g', channels: ['LatAccel', 'LongAccel'] },
  { name: 'Speed against RPM', channels: ['RPM', 'Speed'] },
  { name: 'Steering against lateral g', channels: ['LatAccel', 'SteeringWheelAngle'] },
] as const

const DEFAULT_PAGES: readonly ChartPage[] = [
  {
    name: 'Tyres',
    charts: [
      each(...wheels('tempM')),
      each(...wheels('pressure')),
      lines('LFtempM - RFtempM', 'LRtempM - RRtempM'),
      each(...wheels('tempCM')),
      each(...wheels('wearM')),
    ],
  },
  {
    name: 'Car',
    charts: [
      lines('RPM', 'Gear'),
      lines('LatAccel', 'LongAccel'),
      scatter('LatAccel', 'LongAccel'),
      scatter('RPM', 'Speed'),
      scatter('LatAccel', 'SteeringWheelAngle'),
      histogram('RPM'),
      lines('FuelLevel', 'FuelUsePerHour'),
      lines('WaterTemp', 'OilTemp'),
    ],
  },
  {
    name: 'Suspension',
    charts: [
      each(...wheels('rideHeight')),
      each(...wheels('shockDefl')),
      each(...wheels('shockVel')),
      histogram('LFshockVel'),
      lines('Pitch', 'Roll'),
    ],
  },
]

/** Returns the first set of pages: only what the file has, and at least one page. */
export function defaultPages(canDraw: (term: string) => boolean): readonly ChartPage[] {
  const pages = DEFAULT_PAGES.map(page => ({
    ...page,
    charts: page.charts
      .map(chart => ({ ...chart, channels: chart.channels.filter(canDraw) }))
      .filter(hasItsChannels),
  })).filter(({ charts }) => charts.length > 0)
  return pages.length > 0 ? pages : [{ name: 'Car', charts: [] }]
}

/** Returns the name for a new page: the wanted one, with a number if another page has it. */
export function freeName(pages: readonly ChartPage[], wanted: string): string {
  for (let number = 1; ; number++) {
    const end = number === 1 ? '' : ` ${number}`
    const name = `${wanted.slice(0, MAX_NAME - end.length).trim()}${end}`
    if (!pages.some(page => page.name === name)) return name
  }
}

/** Returns the name for a renamed page: trimmed and cut; null if it is empty or another page has it. */
export function pageName(pages: readonly ChartPage[], at: number, text: string): string | null {
  const name = text.trim().slice(0, MAX_NAME).trim()
  return name === '' || pages.some((page, i) => i !== at && page.name === name) ? null : name
}
