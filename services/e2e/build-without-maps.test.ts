import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { lapwing } from './harness.ts'
import { openSample, screen } from './screen.ts'

const rootDir = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'lapwing-page-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const vite = join(rootDir, 'node_modules/vite/bin/vite.js')
const options = ['--mode', 'quick', '--outDir', folder, '--logLevel', 'error']
execFileSync(process.execPath, [vite, 'build', ...options], {
  cwd: join(rootDir, 'frontend'),
  env: { ...process.env, LAPWING_MAPS: 'false' },
})

const { visit } = lapwing({ reach: 'page', env: { gateway: { FRONTEND_DIR: folder } } })

test(
  'leaves buttons and code of the maps out of a page that is built without them',
  visit(async page => {
    const { maps } = await (await page.request.get('/config.json')).json()
    assert.equal(maps, true)
    await openSample(page)
    await page.getByRole('radio', { name: 'Outline' }).waitFor()
    await screen.gauges(page).waitFor()
    assert.equal(await screen.show2d(page).count(), 0)
    assert.equal(await screen.show3d(page).count(), 0)
    const scripts = readdirSync(join(folder, 'assets')).filter(name => /\.(?:js|css|wasm)$/.test(name))
    assert.ok(scripts.length > 10)
    assert.deepEqual(
      scripts.filter(
        name =>
          /LapMap|LapScene|photo-ground|draco/.test(name) ||
          /maplibregl|TilesRenderer/.test(readFileSync(join(folder, 'assets', name), 'latin1')),
      ),
      [],
    )
  }),
)
