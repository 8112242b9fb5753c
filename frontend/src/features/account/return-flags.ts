import type { KeyValueStore } from '#shared/storage/safe-storage.ts'

/** What must be known when the browser comes back from a provider's page. */
export interface ReturnFlags {
  /** Compare mode is turned on after signing in; it was what the person wanted when they had to. */
  wantCompare(wanted: boolean): void
  /** The terms were agreed to before the browser left. */
  agree(): void
  /** Answers whether compare mode was wanted, and forgets both. */
  takeCompare(): boolean
}

export interface ReturnFlagsDeps {
  readonly local: KeyValueStore
  readonly session: KeyValueStore
}

const compareKey = 'lapwing.enable-compare'
const consentKey = 'lapwing.consent'

export function createReturnFlags({ local, session }: ReturnFlagsDeps): ReturnFlags {
  return {
    wantCompare(wanted) {
      if (wanted) local.set(compareKey, '1')
      else local.remove(compareKey)
    },
    agree: () => session.set(consentKey, '1'),
    takeCompare() {
      const wanted = local.get(compareKey) === '1'
      local.remove(compareKey)
      session.remove(consentKey)
      return wanted
    },
  }
}
