import type { EventHandlers } from '@lapwing/events'
import type { Database } from '../database.ts'
import type { Deps } from '../deps.ts'
import { deleteDriver } from '../drivers/delete-driver.ts'
import { renameDriver } from '../drivers/rename-driver.ts'

/** Handles the events that account publishes. */
export function eventHandlers({ windows }: Deps): EventHandlers<Database> {
  return {
    async usernameChanged(trx, event) {
      const touched = await renameDriver(trx, event)
      return () => windows.drop(touched)
    },
    async accountDeleted(trx, event) {
      const touched = await deleteDriver(trx, event)
      return () => windows.drop(touched)
    },
  }
}
