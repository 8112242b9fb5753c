import assert from 'node:assert/strict'
import { join } from 'node:path'
import { runNode } from '@lapwing/testing/run-node.ts'

const folder = join(import.meta.dirname, '../../identity/src')

/** Runs a command of identity's operator, such as `lock-user.ts`, and returns its output. */
export async function operatorCommand(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const { code, out } = await runNode([join(folder, file), ...args], { PATH, NODE_COMPILE_CACHE, ...env })
  assert.equal(code, 0, out)
  return out
}
