import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { runNode } from '@lapwing/testing/run-node.ts'
import { demoBoards } from './boards.ts'
import { type Demo, fillBoards } from './fill-boards.ts'

// What real services make of the drivers is tested in services/e2e/make-commands.test.ts.

const dataDir = mkdtempSync(join(tmpdir(), 'lapwing-demo-'))
after(() => rmSync(dataDir, { recursive: true, force: true }))

test('reports laps that are refused because drivers agreed where their track lies', async () => {
  const boards = demoBoards.slice(0, 2).map(board => ({ ...board, drivers: 3 }))
  const lines: string[] = []
  let given = 0
  const client: Demo['client'] = {
    publishName: async () => {},
    uploadFile: async () => ++given % 3 !== 0,
    deleteAccount: async () => {},
  }
  const now = new Date('2026-06-01T12:00:00Z')
  await fillBoards({ dataDir, client, say: line => lines.push(line) }, boards, { seed: 3, now })
  const refused = Math.floor(given / 3)
  assert.ok(refused > 0)
  assert.ok(
    lines.includes(
      `${refused} demo laps were refused: drivers agreed on the track's location, and demo laps have none.`,
    ),
  )
  const listed = [...lines.at(-1)!.matchAll(/: (\d+)$/gm)].map(([, laps]) => Number(laps))
  assert.equal(listed.length, boards.length)
  assert.equal(
    listed.reduce((sum, laps) => sum + laps, 0),
    given - refused,
  )
})

test('prints one sentence if Lapwing does not run', async () => {
  const { code, out } = await runNode([join(import.meta.dirname, 'main.ts')], {
    ...process.env,
    DATA_DIR: dataDir,
  })
  assert.equal(code, 1)
  assert.equal(
    out,
    'Lapwing does not run from this folder. Start it with `make run`, then run this command again.\n',
  )
})
