/**
 * `skaffold dev` must build the images that its pods run, and no other: each takes a minute and a half. It copies
 * edits into the pods. If the process did not restart, its author would see an old program.
 */
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'

const rootDir = join(import.meta.dirname, '..')
const read = (file: string) => parse(readFileSync(join(rootDir, file), 'utf8'))

interface Artifact {
  readonly image: string
  readonly docker: {
    readonly dockerfile: string
    readonly target?: string
    readonly buildArgs?: { readonly SERVICE: string }
  }
  readonly sync?: { readonly manual: readonly { readonly src: string; readonly dest: string }[] }
}
interface Skaffold {
  readonly build: { readonly artifacts: Artifact[] }
  readonly deploy: {
    readonly helm: {
      readonly releases: readonly {
        readonly setValues: Record<string, unknown>
        readonly setValueTemplates: Record<string, string>
      }[]
    }
  }
  readonly profiles: readonly {
    readonly name: string
    readonly patches: readonly { readonly op: string; readonly path: string; readonly value: unknown }[]
  }[]
}

/** Parts of the chart that no profile runs: backups are off. */
const NOT_RUN = new Set(['backup'])
/** The worker runs in it too, with a command that does not restart when files change. */
const NOT_COPIED = 'lapwing/ingest'

/** Returns the parts of the chart that run in an image of Lapwing, with its name. */
function imagesOf(values: Record<string, { readonly image?: { readonly repository: string } }>) {
  return new Map(
    Object.entries(values).flatMap(([part, { image }]) =>
      image === undefined || NOT_RUN.has(part) ? [] : [[part, image.repository] as const],
    ),
  )
}

const ofChart = imagesOf(read('charts/lapwing/values.yaml'))

for (const [profile, parts] of [
  [null, ['gateway', 'preview']],
  ['boards', [...ofChart.keys()]],
] as const) {
  test(`builds the images of the ${profile ?? 'default'} profile, and gives each to its part of the chart`, () => {
    const config = withProfile(profile)
    const { artifacts } = config.build
    assert.deepEqual(artifacts.map(({ image }) => image).sort(), parts.map(part => ofChart.get(part)).sort())
    for (const { image, docker } of artifacts) {
      assert.ok(existsSync(join(rootDir, docker.dockerfile)), docker.dockerfile)
      if (docker.buildArgs !== undefined) assert.equal(image, `lapwing/${docker.buildArgs.SERVICE}`)
    }
    assert.deepEqual(
      config.deploy.helm.releases[0]!.setValueTemplates,
      Object.fromEntries(
        parts.flatMap(part => [
          [`${part}.image.repository`, `{{.IMAGE_REPO_lapwing_${part}}}`],
          [`${part}.image.tag`, `{{.IMAGE_TAG_lapwing_${part}}}`],
        ]),
      ),
    )
  })
}

test('copies edits into containers that may be written and whose process restarts, and leaves migrations to a build', () => {
  const config = withProfile('boards')
  const { setValues } = config.deploy.helm.releases[0]!
  assert.equal(setValues['pods.containerSecurityContext.readOnlyRootFilesystem'], false)
  for (const { image, docker, sync } of config.build.artifacts) {
    const isCopied = image !== NOT_COPIED
    assert.equal(docker.target, isCopied ? 'development' : undefined, image)
    const patterns = sync?.manual.map(({ src, dest }) => {
      assert.equal(dest, '/app')
      return src
    })
    const name = image.replace('lapwing/', '')
    const folder = name === 'gateway' ? name : `services/${name}`
    const copied = globSync(patterns ?? [], { cwd: rootDir })
    assert.equal(copied.includes(`${folder}/src/main.ts`), isCopied, image)
    assert.equal(copied.includes('services/lib/http/create-app.ts'), isCopied, image)
    assert.deepEqual(
      copied.filter(file => file.includes('/migrations/')),
      [],
    )
  }
  for (const file of ['service', 'gateway']) {
    assert.match(
      readFileSync(join(rootDir, `docker/${file}.Dockerfile`), 'utf8'),
      /AS development\nUSER root\nRUN chown .*\nUSER 1000:1000\nCMD \["node", "--watch", "src\/main\.ts"\]/,
    )
  }
})

/** Returns the configuration with the patches of a profile, if any. */
function withProfile(profile: string | null): Skaffold {
  const config: Skaffold = read('skaffold.yaml')
  for (const { op, path, value } of config.profiles.find(({ name }) => name === profile)?.patches ?? []) {
    assert.equal(op, 'add')
    add(config, path.slice(1).split('/'), value)
  }
  return config
}

/** Applies an addition of a JSON patch (RFC 6902): `-` is the end of a list. */
function add(target: object, [key = '', ...rest]: readonly string[], value: unknown): void {
  const parent = target as Record<string, unknown>
  if (rest.length > 0) add(parent[key] as object, rest, value)
  else if (Array.isArray(target)) target.push(value)
  else parent[key] = value
}
