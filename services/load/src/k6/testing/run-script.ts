import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { World } from '../../scenarios/world.ts'
import type { Bundle } from '../bundle-scripts.ts'
import execution from './fake-k6/execution.ts'
import { type Sample, samples } from './fake-k6/metrics.ts'

/** What a script did. */
export interface ScriptRun {
  readonly options: { readonly thresholds: Readonly<Record<string, readonly string[]>> }
  readonly world: World
  /** Samples of the script's own metrics, by name. */
  readonly samples: ReadonlyMap<string, readonly Sample[]>
}

/**
 * Runs a bundled script as k6 does, with the parts of k6 that it uses replaced: setup, some iterations one after
 * another, teardown. So a test proves all but k6 itself.
 */
export async function runScript(
  { name, code }: Bundle,
  { env, iterations }: { readonly env: Readonly<Record<string, string>>; readonly iterations: number },
): Promise<ScriptRun> {
  const dir = mkdtempSync(join(tmpdir(), 'lapwing-k6-'))
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      if (!specifier.startsWith('k6/')) return next(specifier, context)
      const url = new URL(`./fake-k6/${specifier.slice(3)}.ts`, import.meta.url).href
      return next(url, context)
    },
  })
  const given = { __ENV: env, open: (path: string) => readFileSync(path, 'utf8') }
  Object.assign(globalThis, given)
  try {
    const file = join(dir, `${name}.mjs`)
    writeFileSync(file, code)
    const script = (await import(pathToFileURL(file).href)) as {
      readonly options: ScriptRun['options']
      readonly setup: () => Promise<World>
      readonly teardown: (world: World) => Promise<void>
      readonly default: (world: World) => Promise<void>
    }
    // k6 hands the data over as JSON.
    const world = JSON.parse(JSON.stringify(await script.setup())) as World
    for (let number = 0; number < iterations; number++) {
      execution.scenario.iterationInTest = number
      await script.default(world)
    }
    await script.teardown(world)
    return { options: script.options, world, samples }
  } finally {
    hooks.deregister()
    for (const name of Object.keys(given)) Reflect.deleteProperty(globalThis, name)
    rmSync(dir, { recursive: true, force: true })
  }
}
