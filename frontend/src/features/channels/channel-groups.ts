import type { Variable } from '@lapwing/telemetry'

/** Channels under one heading of the picker. */
export interface ChannelGroup {
  readonly title: string
  readonly choices: readonly ChannelChoice[]
}

/** One row of the picker. */
export interface ChannelChoice {
  readonly name: string
  readonly description: string
  /** What a press chooses: one channel, the elements of an array, or the channels of the four wheels. */
  readonly terms: readonly string[]
}

/** The first rule that matches names the group, so special words come before general ones. */
const RULES: readonly (readonly [title: string, names: RegExp])[] = [
  [
    'Pit stop and garage',
    /^(?:dp|PitSv|Pit|Pits|PlayerCarPit)|Tire(?:s|Sets)(?:Used|Available)|FastRepair|OnPitRoad/,
  ],
  ['In-car controls', /^dc|^(?:DriverMarker|PushTo|Manual|P2P|DRS)/],
  ['Tyres', /^[LR][FR](?:temp|wear|pressure|coldPressure|odometer)|RumblePitch|Tire/],
  ['Wheels and brakes', /^[LR][FR](?:speed|brake)|^Brake(?:ABS|Raw)|brakeLine/],
  ['Suspension', /shock|rideHeight|^(?:LF|RF|LR|RR|C[FR])SH/i],
  ['Driver’s inputs', /^(?:Throttle|Brake|Clutch|Handbrake|Gear$|Steering|Shift)/],
  ['Engine and fuel', /^(?:RPM|Engine|Fuel|Oil|Water|Manifold|Voltage|Energy|Power|Torque)/],
  ['Movement', /^(?:Speed|Velocity|(?:Lat|Long|Vert)Accel|Yaw|Pitch|Roll|Lat$|Lon$|Alt$)/],
  ['Laps and timing', /^(?:Lap|Session|RaceLaps|CarDist)/],
  ['Weather and track', /^(?:Track|Air|Wind|Weather|Skies|Relative|Fog|Solar|Precip)/],
  [
    'Simulator',
    /^(?:Cpu|Gpu|Chan|Mem|FrameRate|Is|Enter|Player|Pace|Cam|Radio|Video|Replay|Load|OkTo|VidCap)/,
  ],
]
const OTHERS = 'Others'
const ORDER = [
  'Driver’s inputs',
  'Movement',
  'Engine and fuel',
  'Tyres',
  'Wheels and brakes',
  'Suspension',
  'In-car controls',
  'Laps and timing',
  'Weather and track',
  'Pit stop and garage',
  'Simulator',
  OTHERS,
]

const WHEELS = ['LF', 'RF', 'LR', 'RR'] as const
/** Where the name of a wheel can be: at the start, or after a word as in `TireLF_RumblePitch`. */
const WHEEL = /^(Tire|PitSv|dp)?(LF|RF|LR|RR)(?=[A-Za-z_])/

/**
 * Returns the channels of a file in groups, without those that do not match `query`. All words of the query must occur in
 * name, description or group. Rows of the four wheels together come first in their group.
 */
export function groupChannels(variables: readonly Variable[], query: string): readonly ChannelGroup[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const names = new Set(variables.map(({ name }) => name))
  const titles = new Map(variables.map(({ name }) => [name, groupOf(name)]))
  const isMeant = ({ name, description }: ChannelChoice, title: string) => {
    const text = `${name} ${description} ${title}`.toLowerCase()
    return words.every(word => text.includes(word))
  }
  return ORDER.flatMap(title => {
    const own = variables.filter(({ name }) => titles.get(name) === title)
    const choices = [...own.flatMap(each => fourWheels(each, names) ?? []), ...own.map(single)].filter(
      choice => isMeant(choice, title),
    )
    return choices.length > 0 ? { title, choices } : []
  })
}

export function groupOf(name: string): string {
  return RULES.find(([, names]) => names.test(name))?.[0] ?? OTHERS
}

/** Returns the names of a channel for all four wheels, the front ones first; null if it is of no wheel. */
export function wheelsOf(name: string): readonly string[] | null {
  const match = WHEEL.exec(name)
  if (!match) return null
  const [start, before = ''] = match
  return WHEELS.map(wheel => `${before}${wheel}${name.slice(start.length)}`)
}

function fourWheels(variable: Variable, names: ReadonlySet<string>): ChannelChoice | null {
  const wheels = wheelsOf(variable.name)
  // Once, for the first of the four.
  if (wheels === null || wheels[0] !== variable.name || !wheels.every(name => names.has(name))) return null
  const { description } = variable
  return {
    name: variable.name.replace(WHEEL, (_, before = '') => `${before}LF RF LR RR `),
    description: description.replace(/^LF /i, 'All four: ').replace('left front', 'all four'),
    terms: wheels,
  }
}

function single({ name, description, count }: Variable): ChannelChoice {
  const terms = count === 1 ? [name] : Array.from({ length: count }, (_, i) => `${name}[${i}]`)
  return {
    name,
    description: count === 1 ? description : `${description} (${count} values a row)`,
    terms,
  }
}
