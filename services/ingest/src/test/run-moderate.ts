import { join } from 'node:path'
import { runNode } from '@lapwing/testing/run-node.ts'
import type { Harness } from './harness.ts'

/** Runs the moderator's command as a process, on the service's database. */
export const runModerate = ({ env }: Pick<Harness, 'env'>, ...args: string[]) =>
  runNode([join(import.meta.dirname, '../moderate.ts'), ...args], {
    ...process.env,
    DATABASE_URL: env.DATABASE_URL,
  })
