import { run } from '../cluster/run.ts'
import type { ImageOptions } from '../options.ts'
import { buildCommand, fill, type Image, nameOf } from './images.ts'

/**
 * Builds the images one after the other, and brings each to the cluster if `load` is a command for that. Rejects with
 * the end of the output of a command that failed.
 */
export async function buildImages(
  images: readonly Image[],
  options: ImageOptions,
  {
    rootDir,
    load,
    say,
    signal,
  }: {
    readonly rootDir: string
    readonly load: string | null
    readonly say: (line: string) => void
    readonly signal: AbortSignal
  },
): Promise<void> {
  const shell = (command: string) =>
    run('sh', ['-c', command], { cwd: rootDir, signal, withinMs: BUILT_WITHIN_MS })
  const revision = await run('git', ['rev-parse', 'HEAD'], { cwd: rootDir, signal }).catch(() => 'unknown')
  for (const image of images) {
    const name = nameOf(image, options)
    const startMs = performance.now()
    await shell(buildCommand(image, options, { REVISION: revision.trim() }))
    if (load !== null) await shell(fill(load, { image: name }))
    say(`  ${name}: ${((performance.now() - startMs) / 1000).toFixed(0)} s`)
  }
}

const BUILT_WITHIN_MS = 30 * 60_000
