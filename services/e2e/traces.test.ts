import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type CollectedSpan, startTraceCollector } from '@lapwing/testing/trace-collector.ts'
import { until } from '@lapwing/testing/until.ts'
import { signIn, takeUsername } from './accounts.ts'
import { card } from './boards.ts'
import { chooseFile } from './give-file.ts'
import { lapwing } from './harness.ts'
import { openFirstVisit } from './screen.ts'
import { anIbt } from './testing/an-ibt.ts'

const collector = await startTraceCollector()
after(() => collector.close())

const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }
const { visit } = lapwing({
  reach: 'everything',
  env: {
    gateway: env,
    identity: env,
    account: env,
    upload: env,
    ingest: env,
    'ingest-worker': env,
    leaderboard: env,
  },
})

/** Each span with its parent, from the last call of the page to the entry on the board. */
const WAY = [
  ['gateway', 'POST /api/laps/ingest-best-from-session'],
  ['ingest', 'POST /api/laps/ingest-best-from-session'],
  ['ingest-worker', 'process judge'],
  ['ingest-worker', 'leaderboard putStanding'],
  ['leaderboard', 'PUT /internal/standings'],
] as const

test(
  'joins all that one file causes to one trace, from the page’s first call to the entry on the board',
  visit(
    async page => {
      await openFirstVisit(page)
      await takeUsername(page, await signIn(page), 'tracedKerb')
      await chooseFile(page, { name: 'ring.ibt', bytes: anIbt({ lapTimesS: [20.4], simUserId: 1101 }) })
      await card(page).getByText('#1', { exact: true }).waitFor()

      const find = ([process, name]: readonly [string, string]) =>
        collector.spans().find(span => span.process === process && span.name === name)
      await until(() => WAY.every(step => find(step) !== undefined), 'every span of the way arrived')
      const way = WAY.map(step => find(step)!)
      for (const [index, span] of way.slice(1).entries()) {
        assert.equal(span.parentSpanId, way[index]!.spanId, `${span.process} ${span.name}`)
      }
      const { traceId } = way[0]!
      const ofTrace = () => collector.spans().filter(span => span.traceId === traceId)
      const roots = () => ofTrace().filter(({ name }) => /^POST \/api\/v1\/upload\//.test(name))
      await until(() => roots().length === 4, 'the calls to upload are in the same trace')
      assert.deepEqual(
        ['judge file', 'record laps', 'store download', 'upload getUploadSession'].filter(
          name => !ofTrace().some(span => span.name === name),
        ),
        [],
      )
      assert.deepEqual(orphansOf(ofTrace()), [...new Set([way[0]!.parentSpanId])])
    },
    {
      expected: [
        /Failed to load resource/,
        /^answer: 404 to GET .*(?:\/leaderboards\/context-id|\/corners$)/,
      ],
    },
  ),
)

/** Returns the parents that no process exported. The page’s own is the only one. */
function orphansOf(spans: readonly CollectedSpan[]): readonly (string | undefined)[] {
  const known = new Set(spans.map(({ spanId }) => spanId))
  const parents = spans.map(({ parentSpanId }) => parentSpanId)
  return [...new Set(parents.filter(parent => parent === undefined || !known.has(parent)))]
}
