import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMap, isScalar, LineCounter, type Node, type Pair, parse, parseDocument } from 'yaml'

type Json = Readonly<Record<string, unknown>>

/** One value of the chart: a group of values, or a value that an operator sets. */
interface Value {
  readonly path: readonly string[]
  /** The sentence above it; empty for a group without one. */
  readonly about: string
  readonly fallback: unknown
  /** The values of a group; undefined for a value that an operator sets. */
  readonly children: readonly Value[] | undefined
}

interface Rules {
  readonly rules: Readonly<Record<string, Json>>
  readonly conditions: readonly {
    readonly why: string
    readonly if: Readonly<Record<string, Json>>
    readonly then: Readonly<Record<string, Json>>
  }[]
}

/**
 * Returns the JSON schema of the chart's values. Each value has its sentence, the type of its default and
 * what the rules add. Throws if a value has no sentence, or if a rule fits no value.
 */
export function chartSchema(valuesText: string, rulesText: string): string {
  const values = readValues(valuesText)
  const { rules, conditions }: Rules = parse(rulesText)
  const leaves = new Set(values.flatMap(allIn).map(({ path }) => path.join('.')))
  const used = new Set<string>()
  const properties = Object.fromEntries(values.map(value => [value.path.at(-1)!, schemaOf(value)]))
  const unused = Object.keys(rules).filter(rule => !used.has(rule))
  if (unused.length > 0) throw new Error(`No value of the chart has the rule ${unused.join(', ')}`)
  const unknown = conditions.flatMap(({ if: one, then }) => Object.keys({ ...one, ...then }))
  for (const path of unknown) {
    if (!leaves.has(path)) throw new Error(`A condition names ${path}, which is no value of the chart`)
  }
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Values of the lapwing chart',
    $comment: 'Generated from values.yaml and ../values.rules.yaml by `make generate`.',
    type: 'object',
    additionalProperties: false,
    required: Object.keys(properties),
    properties,
    allOf: conditions.map(({ why, if: one, then }) => ({
      $comment: why,
      if: nested(one, true),
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON schema.
      then: nested(then, false),
    })),
  }
  return `${JSON.stringify(schema, null, 2)}\n`

  function schemaOf({ path, about, fallback, children }: Value): Json {
    const name = longestRule(path, rules)
    // A group and a value can have the same name, such as `key`.
    const fits = name !== undefined && (children === undefined || 'additionalProperties' in rules[name]!)
    if (fits) used.add(name)
    const rule = fits ? rules[name]! : {}
    const description = about === '' ? {} : { description: about }
    if (children === undefined) {
      if (about === '') throw new Error(`${path.join('.')} of the chart's values has no sentence`)
      return { ...description, type: typeOf(fallback), ...rule }
    }
    return {
      ...description,
      type: 'object',
      additionalProperties: false,
      ...rule,
      required: children.map(child => child.path.at(-1)!),
      properties: Object.fromEntries(children.map(child => [child.path.at(-1)!, schemaOf(child)])),
    }
  }
}

/** Returns a table in Markdown of all values that an operator sets, with their defaults and sentences. */
export function chartTable(valuesText: string): string {
  const rows = readValues(valuesText)
    .flatMap(allIn)
    .filter(({ children }) => children === undefined)
    .map(({ path, about, fallback }) => [
      `\`${path.join('.')}\``,
      shown(fallback),
      about.replaceAll('|', '\\|'),
    ])
  return ['| value | default | what |', '|---|---|---|', ...rows.map(row => `| ${row.join(' | ')} |`)].join(
    '\n',
  )
}

/** Returns a default as code; a long one is in the file of values. */
function shown(fallback: unknown): string {
  const text = JSON.stringify(fallback)
  return text.length > 60 ? 'see `values.yaml`' : `\`${text}\``
}

function allIn(value: Value): readonly Value[] {
  return [value, ...(value.children ?? []).flatMap(allIn)]
}

/** Reads the values with the comments above them. A map is a group, unless it is empty or has a sentence. */
function readValues(text: string): readonly Value[] {
  const lines = text.split('\n')
  const counter = new LineCounter()
  const document = parseDocument(text, { lineCounter: counter })
  if (!isMap(document.contents)) throw new Error('The values of the chart are no map')
  return document.contents.items.map(pair => readValue(pair, []))

  function readValue({ key, value }: Pair, above: readonly string[]): Value {
    if (!isScalar(key)) throw new Error('A value of the chart has a name that is no text')
    const path = [...above, String(key.value)]
    const comment = commentAbove(lines, counter.linePos(key.range![0]).line)
    const isValue = comment.some(line => line.startsWith('-- '))
    const about = comment.map(line => line.replace(/^-- /, '')).join(' ')
    const isGroup = isMap(value) && value.items.length > 0 && !isValue
    return {
      path,
      about,
      fallback: (value as Node).toJSON(),
      children: isGroup ? value.items.map(pair => readValue(pair, path)) : undefined,
    }
  }
}

/** Returns the lines of the comment that ends above a line, which counts from 1, without their `#`. */
function commentAbove(lines: readonly string[], line: number): string[] {
  const comment: string[] = []
  for (let at = line - 2; at >= 0; at--) {
    const [, text] = /^\s*# ?(.*)$/.exec(lines[at]!) ?? []
    if (text === undefined) break
    comment.unshift(text)
  }
  return comment
}

/** Returns the rule with the most names that fits the end of a path, if any. */
function longestRule(path: readonly string[], rules: Rules['rules']): string | undefined {
  const fits = Object.keys(rules).filter(rule => {
    const names = rule.split('.')
    const end = path.slice(-names.length)
    return end.length === names.length && names.every((name, at) => name === '*' || name === end[at])
  })
  return fits.toSorted((a, b) => b.split('.').length - a.split('.').length)[0]
}

function typeOf(fallback: unknown): string {
  if (Array.isArray(fallback)) return 'array'
  if (Number.isInteger(fallback)) return 'integer'
  return fallback === null ? 'null' : typeof fallback
}

/** Returns the schema of an object in which each path meets its rule; with `required` it must also exist. */
function nested(paths: Readonly<Record<string, Json>>, required: boolean): Json {
  const names = [...new Set(Object.keys(paths).map(path => path.split('.')[0]!))]
  const properties = names.map(name => {
    const own = paths[name]
    if (own !== undefined) return [name, own]
    const below = Object.entries(paths)
      .filter(([path]) => path.startsWith(`${name}.`))
      .map(([path, rule]) => [path.slice(name.length + 1), rule])
    return [name, nested(Object.fromEntries(below), required)]
  })
  return { ...(required ? { required: names } : {}), properties: Object.fromEntries(properties) }
}

const VALUES = 'charts/lapwing/values.yaml'
const RULES = 'charts/values.rules.yaml'
const SCHEMA = 'charts/lapwing/values.schema.json'
const README = 'charts/lapwing/README.md'

/** Returns the generated files of the chart with their text, by their path in the repository. */
export function chartFiles(rootDir: string): ReadonlyMap<string, string> {
  const read = (file: string) => readFileSync(join(rootDir, file), 'utf8')
  const table = /(?<=<!-- values -->\n).*(?=<!-- end of values -->)/s
  if (!table.test(read(README))) throw new Error(`${README} has no <!-- values --> … <!-- end of values -->`)
  return new Map([
    [SCHEMA, chartSchema(read(VALUES), read(RULES))],
    [README, read(README).replace(table, () => `\n${chartTable(read(VALUES))}\n\n`)],
  ])
}

/** Checks that the generated files of the chart are fresh. Returns the stale ones, one a line, or null. */
export function checkChartFiles(rootDir: string): string | null {
  const stale = [...chartFiles(rootDir)].filter(
    ([file, text]) => readFileSync(join(rootDir, file), 'utf8') !== text,
  )
  return stale.map(([file]) => `Run \`make generate\`; ${file} is not fresh`).join('\n') || null
}
