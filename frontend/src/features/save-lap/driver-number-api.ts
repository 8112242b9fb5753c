import type { components, paths } from '@lapwing/contracts/ingest'
import { bodyOf, createApiClient, type SignedInDeps } from '#shared/api/api-client.ts'
import { exactly, fieldsOf, flag, listOf, orNull, text } from '#shared/api/shapes.ts'

/** A driver number of the simulator that appears in saved files of the signed-in driver. */
export type DriverNumber = Readonly<components['schemas']['DriverNumber']>

/** The calls about the driver's own numbers. Each rejects with an `ApiError` or a `ShapeError`. */
export interface DriverNumberApi {
  list(signal: AbortSignal): Promise<readonly DriverNumber[]>
  undo(number: Pick<DriverNumber, 'sim' | 'driver_number'>): Promise<void>
}

export function createDriverNumberApi({ baseUrl, authorised }: SignedInDeps): DriverNumberApi {
  const client = createApiClient<paths>({ baseUrl, fetch: authorised })
  return {
    async list(signal) {
      const list = client.GET('/laps/driver-numbers', { signal })
      return (await bodyOf(list, isList, 'your driver numbers')).driver_numbers
    },
    async undo({ sim, driver_number: driverNumber }) {
      await client.DELETE('/laps/driver-numbers/{sim}/{driverNumber}', {
        params: { path: { sim, driverNumber } },
      })
    },
  }
}

const isList = fieldsOf<{ readonly ok: true; readonly driver_numbers: DriverNumber[] }>({
  ok: exactly(true),
  driver_numbers: listOf(
    fieldsOf<DriverNumber>({
      sim: text,
      driver_number: text,
      bound_at: orNull(text),
      is_disputed: flag,
      can_undo: flag,
    }),
  ),
})
