import { join } from 'node:path'
import { runCommand } from '@lapwing/testing/run-command.ts'
import type { Harness } from './harness.ts'

/** Runs the moderator's command on the service's database. */
export const runModerate = ({ env }: Pick<Harness, 'env'>, ...args: string[]) =>
  runCommand([join(import.meta.dirname, '../moderate.ts'), ...args], {
    ...process.env,
    DATABASE_URL: env.DATABASE_URL,
  })
