import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type Rollup } from 'vite'

/**
 * Builds the widget in memory, and fails if a page would load more of it than these limits allow. All are in
 * bytes of gzip. Also fails if `v1.js` is not a classic script: pages load it without `type="module"`.
 */
const LIMITS = {
  /** The screen that every page shows, without React. */
  main: 45_000,
  mainWithReact: 110_000,
  /** What another group of screens, or a language, adds. */
  group: 15_000,
  /** The rules of all countries, which load only with a phone field. */
  phoneRules: 60_000,
} as const

const result = (await build({
  configFile: join(import.meta.dirname, '../vite.config.ts'),
  logLevel: 'error',
  build: { write: false },
})) as Rollup.RollupOutput
const chunks = new Map(
  result.output.flatMap(file => (file.type === 'chunk' ? [[file.fileName, file] as const] : [])),
)
const app = [...chunks.values()].find(({ isEntry }) => isEntry)!.fileName
const script = result.output.find(({ fileName }) => fileName === 'v1.js')
const source = script?.type === 'asset' ? String(script.source) : ''

const problems: string[] = []
// A page runs it as a classic script, so it is one function that names the module.
if (!source.includes(app)) problems.push(`v1.js does not load ${app}.`)
try {
  new Function(source)
} catch (error) {
  problems.push(`v1.js is no classic script: ${(error as Error).message}`)
}
const main = reachable(app)
const scriptSize = gzipSync(source, { level: 9 }).length
const withReact = scriptSize + sizeOf(main)
const withoutReact = scriptSize + sizeOf([...main].filter(name => !/\/react-/.test(name)))
limit('Main', withoutReact, LIMITS.main)
limit('Main with React', withReact, LIMITS.mainWithReact)
for (const [name, { isDynamicEntry }] of chunks) {
  if (!isDynamicEntry || name === app) continue
  const own = [...reachable(name)].filter(part => !main.has(part))
  limit(name, sizeOf(own), name.includes('phone-rules') ? LIMITS.phoneRules : LIMITS.group)
}
console.log(`Main ${withoutReact} bytes, ${withReact} with React.`)
if (problems.length > 0) {
  console.error(problems.join('\n'))
  process.exitCode = 1
}

/** Returns the names of a chunk and of all that it loads with it. */
function reachable(name: string): Set<string> {
  const found = new Set([name])
  for (const next of found) for (const imported of chunks.get(next)?.imports ?? []) found.add(imported)
  return found
}

function sizeOf(names: Iterable<string>): number {
  return [...names].reduce((sum, name) => sum + gzipSync(chunks.get(name)!.code, { level: 9 }).length, 0)
}

function limit(name: string, size: number, most: number): void {
  if (size > most) problems.push(`${name} has ${size} bytes (gzip), the limit is ${most}.`)
}
