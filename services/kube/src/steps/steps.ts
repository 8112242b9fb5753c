import type { Step } from '../run-steps.ts'
import type { World } from '../world.ts'
import { backup, restore, verify } from './data-steps.ts'
import { disturbances } from './disturbances.ts'
import { fromOlder } from './older-step.ts'
import { tryOut, uninstall } from './removal-steps.ts'
import { buildAll, down, helmTest, install, trip, up } from './set-up-steps.ts'

/** All steps of `make kube-e2e` in their order. */
export const steps: readonly Step<World>[] = [
  up,
  buildAll,
  install,
  helmTest,
  trip,
  ...disturbances,
  verify,
  backup,
  restore,
  uninstall,
  fromOlder,
  tryOut,
  down,
]
