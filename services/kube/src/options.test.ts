import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError } from '@lapwing/config'
import { readImageOptions, readOptions } from './options.ts'

test('needs no variable: the cluster is that of KUBECONFIG, and docker builds', () => {
  assert.deepEqual(readOptions({}), {
    ...{ up: null, down: null, load: null, values: [], standIns: false, rate: 2, steps: null },
    images: {
      build: 'docker build --file {dockerfile} --tag {image} {options} {context}',
      registry: 'localhost',
      tag: 'e2e',
    },
  })
})

test('reads every variable', () => {
  const { images, ...rest } = readOptions({
    ...{ KUBE_UP: 'cluster up', KUBE_DOWN: 'cluster down', IMAGE_LOAD: 'load {image}', RATE: '5' },
    ...{ KUBE_VALUES: 'a.yaml,b.yaml', KUBE_STAND_INS: 'true', STEPS: 'up,images' },
    ...{ IMAGE_BUILD: 'build {dockerfile} {context} {image} {options}', IMAGE_REGISTRY: 'r', IMAGE_TAG: '1' },
  })
  assert.deepEqual(images, {
    build: 'build {dockerfile} {context} {image} {options}',
    registry: 'r',
    tag: '1',
  })
  assert.deepEqual(rest, {
    ...{ up: 'cluster up', down: 'cluster down', load: 'load {image}', rate: 5 },
    ...{ values: ['a.yaml', 'b.yaml'], standIns: true, steps: ['up', 'images'] },
  })
})

for (const [what, env] of [
  [
    'a build command without a place for the image',
    { IMAGE_BUILD: 'build {dockerfile} {context} {options}' },
  ],
  ['the tag latest', { IMAGE_TAG: 'latest' }],
] as const) {
  test(`rejects ${what}`, () => {
    assert.throws(() => readImageOptions(env), ConfigError)
    assert.throws(() => readOptions(env), ConfigError)
  })
}
