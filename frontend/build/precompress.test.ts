import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { build } from 'vite'
import { compressFolder, precompress } from './precompress.ts'

test('compresses the page, its scripts and the files of public in a build', async t => {
  const filler = '<!-- nothing to see -->'.repeat(50)
  const root = await folderOf(t, {
    'index.html': `<!doctype html>${filler}<script type="module" src="/main.js"></script>`,
    'main.js': `document.title = ${JSON.stringify('lap '.repeat(100))}\n`,
    'public/mark.svg': `<svg xmlns="http://www.w3.org/2000/svg">${filler}</svg>`,
  })
  await build({ root, configFile: false, logLevel: 'silent', plugins: [precompress()] })
  const built = (await readdir(join(root, 'dist'), { recursive: true })).map(name =>
    name.replace(/-[\w-]{8}\./, '-HASH.'),
  )
  assert.deepEqual(built.sort(), [
    'assets',
    'assets/index-HASH.js',
    'assets/index-HASH.js.br',
    'assets/index-HASH.js.gz',
    'index.html',
    'index.html.br',
    'index.html.gz',
    'mark.svg',
    'mark.svg.br',
    'mark.svg.gz',
  ])
})

test('writes a Brotli and a gzip form of a script that hold the same bytes', async t => {
  const folder = await folderOf(t, { 'assets/app-1a2b.js': 'export const lap = 1\n'.repeat(200) })
  await compressFolder(folder)
  const script = await readFile(join(folder, 'assets/app-1a2b.js'))
  const brotli = await readFile(join(folder, 'assets/app-1a2b.js.br'))
  const gzipped = await readFile(join(folder, 'assets/app-1a2b.js.gz'))
  assert.deepEqual(brotliDecompressSync(brotli), script)
  assert.deepEqual(gunzipSync(gzipped), script)
  assert.ok(brotli.length < script.length && gzipped.length < script.length)
})

test('skips fonts and pictures', async t => {
  const folder = await folderOf(t, { 'inter.woff2': 'x'.repeat(5000), 'logo.png': 'x'.repeat(5000) })
  await compressFolder(folder)
  assert.deepEqual((await readdir(folder)).sort(), ['inter.woff2', 'logo.png'])
})

test('writes no form that is not smaller, and deletes an old one', async t => {
  const folder = await folderOf(t, { 'a.txt': 'x', 'a.txt.gz': 'of an earlier build' })
  await compressFolder(folder)
  assert.deepEqual(await readdir(folder), ['a.txt'])
})

test('replaces forms of an earlier build, and does not compress them again', async t => {
  const folder = await folderOf(t, { 'a.css': 'a{}'.repeat(100), 'a.css.br': 'old', 'a.css.gz': 'old' })
  await compressFolder(folder)
  assert.deepEqual((await readdir(folder)).sort(), ['a.css', 'a.css.br', 'a.css.gz'])
  assert.equal(gunzipSync(await readFile(join(folder, 'a.css.gz'))).toString(), 'a{}'.repeat(100))
})

async function folderOf(t: TestContext, files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lapwing-precompress-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) {
    await mkdir(join(folder, name, '..'), { recursive: true })
    await writeFile(join(folder, name), content)
  }
  return folder
}
