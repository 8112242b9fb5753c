import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findUnknown, readSeries, selectorsOf } from './testing/read-queries.ts'

const series = readSeries(
  [
    '# HELP demo_total Demos.',
    'demo_total{kind="a b",status="200",process="gateway"} 1',
    'demo_bytes{state="free"} 1e+09',
    'demo_bytes{state="total"} 2e+09',
  ].join('\n'),
)
const problemsOf = (query: string) => findUnknown(selectorsOf(query, 'f'), series)

test('finds nothing wrong with a query of known metrics, labels and values', () => {
  for (const query of [
    'sum by (namespace, kind) (rate(demo_total{process="gateway", status=~"5.."}[5m])) > 0',
    'demo_bytes{state="free"} / ignoring (state) demo_bytes{state!~"free|x"} < 0.1',
    'absent(demo_total{kind!="c"})',
  ]) {
    assert.deepEqual(problemsOf(query), [], query)
  }
})

test('names a metric, a label and a value that no process has', () => {
  for (const [query, problem] of [
    ['rate(demo_totals[5m])', /no process has the metric demo_totals/],
    ['demo_bytes / ignoring (stat) demo_bytes', /demo_bytes has no label stat/],
    ['sum by (rout) (max(demo_total))', /demo_total has no label rout/],
    ['demo_total{proces="gateway"}', /demo_total has no label proces/],
    ['demo_total{process="gatewy"}', /no series of demo_total has such values/],
    ['demo_total{process!~"gate.*"}', /no series of demo_total has such values/],
  ] as const) {
    const problems = problemsOf(query)
    assert.equal(problems.length, 1, query)
    assert.match(problems[0]!, problem)
  }
})

test('rejects a query that Prometheus rejects', () => {
  assert.throws(() => selectorsOf('sum(demo_total', 'f'), /f: sum\(demo_total is not valid at character 14/)
})
