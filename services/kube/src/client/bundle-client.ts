import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

/** Writes the client and its thread as two files without imports, so that a ConfigMap can hold them. */
export async function bundleClient(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const entries = {
    'client.mjs': join(import.meta.dirname, 'client.ts'),
    'file-thread.mjs': fileURLToPath(import.meta.resolve('@lapwing/load/file-thread')),
  }
  for (const [name, input] of Object.entries(entries)) writeFileSync(join(folder, name), await bundle(input))
}

async function bundle(input: string): Promise<string> {
  const build = await rolldown({
    input,
    platform: 'node',
    // An import that cannot be resolved would otherwise only be a warning.
    onwarn: warning => {
      throw new Error(warning.message)
    },
  })
  try {
    const { output } = await build.generate({ format: 'esm', codeSplitting: false, minify: true })
    return output[0].code
  } finally {
    await build.close()
  }
}
