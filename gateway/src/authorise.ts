import { AppError } from '@lapwing/http'
import type { GatewayCode } from './errors.ts'
import type { Caller } from './routes.ts'

/** Lets a request pass only where the row's caller can be verified; today that is nobody but the public. */
export const authorise: Readonly<Record<Caller, () => Promise<void>>> = {
  public: async () => {},
  'signed-in': refuse,
  optional: refuse,
}

async function refuse(): Promise<void> {
  throw new AppError<GatewayCode>('gateway.unauthorized')
}
