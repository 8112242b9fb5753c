import { join } from 'node:path'
import { runCommand } from '@lapwing/testing/run-command.ts'
import { runNode } from '@lapwing/testing/run-node.ts'
import type { Harness } from './harness.ts'

type Service = Pick<Harness, 'env'>

/** Runs the moderator's command on the service's database. */
export const runModerate = (service: Service, ...args: string[]) => runWith(runCommand, service, args)

/** Runs it as a process, as an operator does. */
export const runModerateProcess = (service: Service, ...args: string[]) => runWith(runNode, service, args)

const runWith = (run: typeof runNode, { env }: Service, args: readonly string[]) =>
  run([join(import.meta.dirname, '../moderate.ts'), ...args], {
    ...process.env,
    DATABASE_URL: env.DATABASE_URL,
  })
