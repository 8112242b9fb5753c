import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { SyntaxNode } from '@lezer/common'
import { parser } from '@prometheus-io/lezer-promql'
import { parse } from 'yaml'

/** A metric that an alert or a dashboard reads. */
export interface Selector {
  /** The file and the query, for messages. */
  readonly where: string
  readonly metric: string
  readonly matchers: readonly Matcher[]
  /** Labels that the query groups or joins by. */
  readonly labels: readonly string[]
}

export interface Matcher {
  readonly label: string
  readonly matches: (value: string) => boolean
}

/** Returns all metrics that the chart's alerts and dashboards read. Throws for a query that Prometheus rejects. */
export function readSelectors(chartDir: string): readonly Selector[] {
  const read = (file: string) => readFileSync(join(chartDir, file), 'utf8')
  const alerts = globSync('alerts/*.yaml', { cwd: chartDir }).map(file => ({
    file,
    queries: (parse(read(file)) as AlertFile).groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)),
  }))
  const dashboards = globSync('dashboards/*.json', { cwd: chartDir }).map(file => ({
    file,
    queries: (JSON.parse(read(file)) as Dashboard).panels.flatMap(({ targets }) =>
      // Grafana's own variable; any duration will do.
      targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '5m')),
    ),
  }))
  return [...alerts, ...dashboards].flatMap(({ file, queries }) =>
    queries.flatMap(query => selectorsOf(query, basename(file))),
  )
}

interface AlertFile {
  readonly groups: readonly { readonly rules: readonly { readonly expr: string }[] }[]
}

interface Dashboard {
  readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[]
}

/** Returns the metrics of one query. Throws if it is not valid. */
export function selectorsOf(query: string, file: string): readonly Selector[] {
  const where = `${file}: ${query.replace(/\s+/g, ' ').trim()}`
  const textOf = ({ from, to }: SyntaxNode) => query.slice(from, to)
  const selectors: Selector[] = []

  function visit(node: SyntaxNode, outer: readonly string[]): void {
    if (node.type.isError) throw new Error(`${where} is not valid at character ${node.from}`)
    const labels = [...outer, ...groupingOf(node)]
    if (node.name === 'VectorSelector') {
      const matchers = node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? []
      selectors.push({
        where,
        metric: textOf(node.getChild('Identifier')!),
        matchers: matchers.map(matcher),
        labels,
      })
    }
    for (let child = node.firstChild; child !== null; child = child.nextSibling) visit(child, labels)
  }

  /** Returns the labels that a node groups or joins its children by. */
  function groupingOf(node: SyntaxNode): readonly string[] {
    const clauses = ['AggregateModifier', 'MatchingModifierClause'].flatMap(name => node.getChildren(name))
    return clauses.flatMap(clause =>
      clause.getChildren('GroupingLabels').flatMap(list => list.getChildren('LabelName').map(textOf)),
    )
  }

  function matcher(node: SyntaxNode): Matcher {
    const value = JSON.parse(textOf(node.getChild('StringLiteral')!)) as string
    const operator = textOf(node.getChild('MatchOp')!)
    const pattern = operator.endsWith('~') ? new RegExp(`^(?:${value})$`) : null
    const isEqual = (found: string) => (pattern === null ? found === value : pattern.test(found))
    return {
      label: textOf(node.getChild('LabelName')!),
      matches: found => isEqual(found) !== operator.startsWith('!'),
    }
  }

  visit(parser.parse(query).topNode, [])
  return selectors
}

/** A line of the text format: a metric with its labels. */
export interface Series {
  readonly metric: string
  readonly labels: Readonly<Record<string, string>>
}

/** Returns the series of a text that a process answers to `/metrics`. */
export function readSeries(text: string): readonly Series[] {
  return text
    .split('\n')
    .filter(line => line !== '' && !line.startsWith('#'))
    .map(line => {
      const [, metric, labels = ''] = /^([\w:]+)(?:\{(.*)\})? /.exec(line)!
      const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)]
      return { metric: metric!, labels: Object.fromEntries(pairs.map(([, name, value]) => [name, value!])) }
    })
}

/**
 * Returns a sentence for each selector that would find nothing. Values of `status` and `outcome` are left out: a
 * healthy run has no failures.
 */
export function findUnknown(selectors: readonly Selector[], series: readonly Series[]): readonly string[] {
  const problems = selectors.flatMap(({ where, metric, matchers, labels }) => {
    const found = series.filter(one => one.metric === metric)
    if (found.length === 0) return [`no process has the metric ${metric} (${where})`]
    const known = new Set(found.flatMap(one => Object.keys(one.labels)))
    const unknown = [...labels, ...matchers.map(({ label }) => label)].filter(
      label => !known.has(label) && !BY_PROMETHEUS.has(label),
    )
    if (unknown.length > 0) return [`${metric} has no label ${unknown.join(', ')} (${where})`]
    const exact = matchers.filter(({ label }) => !BY_COURSE.has(label))
    const isSeen = found.some(one => exact.every(({ label, matches }) => matches(one.labels[label] ?? '')))
    return isSeen ? [] : [`no series of ${metric} has such values (${where})`]
  })
  return [...new Set(problems)]
}

/** Labels that Prometheus adds to each series of a process. */
const BY_PROMETHEUS = new Set(['instance', 'job', 'namespace', 'pod'])
/** Labels whose values depend on what happens in a run. */
const BY_COURSE = new Set(['status', 'outcome'])
