import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { buildCommand, fill, images, standIns } from './images.ts'

const rootDir = join(import.meta.dirname, '../../../..')
const options = { build: 'b -f {dockerfile} -t {image} {options} {context}', registry: 'r.example', tag: '7' }

test('builds each image of the chart, and no other', () => {
  const values = parse(readFileSync(join(rootDir, 'charts/lapwing/values.yaml'), 'utf8')) as Record<
    string,
    { image?: { repository: string } }
  >
  const named = Object.values(values).flatMap(part => part?.image?.repository ?? [])
  assert.deepEqual(images.map(({ name }) => name).sort(), named.sort())
})

test('each Dockerfile exists, with the list of what it may read', () => {
  for (const { dockerfile } of [...images, ...standIns]) {
    assert.ok(existsSync(join(rootDir, dockerfile)), dockerfile)
    assert.ok(existsSync(join(rootDir, `${dockerfile}.dockerignore`)), dockerfile)
  }
})

test('puts the parts into the command', () => {
  const upload = images.find(({ name }) => name === 'lapwing/upload')!
  assert.equal(
    buildCommand(upload, options, { REVISION: 'abc' }),
    'b -f docker/service.Dockerfile -t r.example/lapwing/upload:7 --build-arg REVISION=abc --build-arg SERVICE=upload .',
  )
})

test('leaves names in braces that it does not know', () => {
  assert.equal(fill('{a} {b}', { a: '1' }), '1 {b}')
})
