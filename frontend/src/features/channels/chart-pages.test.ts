import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type ChartPage,
  defaultPages,
  formatPages,
  freeName,
  MAX_CHARTS,
  MAX_NAME,
  MAX_PAGES,
  pageName,
  parsePages,
} from './chart-pages.ts'

const page: ChartPage = { name: 'Mine', charts: [{ kind: 'lines', channels: ['RPM', 'LFtempM - RFtempM'] }] }

test('reads exported pages again as they were', () => {
  assert.deepEqual(parsePages(formatPages([page])), [page])
  assert.deepEqual(parsePages(formatPages([page, { name: '晩', charts: [] }], 2))?.[1]?.name, '晩')
})

test('accepts no other text', () => {
  const of = (charts: unknown, name: unknown = 'Mine') =>
    JSON.stringify({ version: 1, pages: [{ name, charts }] })
  const rpm = { kind: 'lines', channels: ['RPM'] }
  for (const text of [
    null,
    '',
    'null',
    '[]',
    '{"version":1,"pages":[]}',
    JSON.stringify({ version: 2, pages: [page] }),
    JSON.stringify({ pages: [page] }),
    of([{ kind: 'pie', channels: ['RPM'] }]),
    of([{ kind: 'lines', channels: [] }]),
    of([{ kind: 'lines', channels: ['RPM', 'RPM'] }]),
    of([{ kind: 'scatter', channels: ['RPM'] }]),
    of([{ kind: 'histogram', channels: ['RPM', 'Speed'] }]),
    of([{ kind: 'lines', channels: ['RPM; drop'] }]),
    of([{ kind: 'lines', channels: 'RPM' }]),
    of(Array.from({ length: MAX_CHARTS + 1 }, () => rpm)),
    of([rpm], ''),
    of([rpm], ' Mine'),
    of([rpm], 'x'.repeat(41)),
    of([rpm], 7),
    formatPages([page, page]),
    formatPages(Array.from({ length: MAX_PAGES + 1 }, (_, i) => ({ ...page, name: `${i}` }))),
  ]) {
    assert.equal(parsePages(text), null, text ?? 'null')
  }
})

test('starts with pages of the channels that the file has', () => {
  const names = (canDraw: (term: string) => boolean) => defaultPages(canDraw).map(({ name }) => name)
  assert.deepEqual(
    names(() => true),
    ['Tyres', 'Car', 'Suspension'],
  )
  assert.deepEqual(
    defaultPages(term => term === 'RPM'),
    [
      {
        name: 'Car',
        charts: [
          { kind: 'lines', channels: ['RPM'] },
          { kind: 'histogram', channels: ['RPM'] },
        ],
      },
    ],
  )
  assert.deepEqual(
    defaultPages(() => false),
    [{ name: 'Car', charts: [] }],
  )
  assert.ok(parsePages(formatPages(defaultPages(() => true))))
})

test('names pages so that no two have the same name', () => {
  assert.equal(freeName([page], 'New page'), 'New page')
  assert.equal(freeName([page, { name: 'Mine 2', charts: [] }], 'Mine'), 'Mine 3')
  const long = { name: 'x'.repeat(MAX_NAME), charts: [] }
  assert.equal(freeName([long], long.name), `${'x'.repeat(MAX_NAME - 2)} 2`)
  assert.equal(pageName([page], 0, '  Mine '), 'Mine')
  assert.equal(pageName([page, { name: 'Other', charts: [] }], 1, 'Mine'), null)
  assert.equal(pageName([page], 0, '   '), null)
})
