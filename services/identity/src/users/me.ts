import type { Deps, HandlerOf } from '../deps.ts'
import { IdentityError } from '../errors.ts'
import { answer } from '../http/answer.ts'
import { readSession, requireOwnSession } from '../sessions/require-session.ts'
import { requireComplete } from '../sessions/second-factor.ts'
import { readUser } from './user.ts'

/** Returns the account at the top level of `data`. */
export function getMe({ db, readClient, now }: Deps): HandlerOf<'getMe'> {
  return async request => {
    const { userId } = await readSession(db, readClient(request), now())
    const user = await readUser(db, userId)
    if (user === null) throw new IdentityError('session_not_found')
    return answer(request, user)
  }
}

/** Bytes of JSON that a page can store with an account. */
export const MAX_METADATA_BYTES = 4_096

/** Changes the name and the page's metadata. Sending one part of the name replaces all its parts. */
export function updateMe({ change, readClient }: Deps): HandlerOf<'updateMe'> {
  return async request => {
    const client = readClient(request)
    const { name, untrusted_metadata: untrusted, trusted_metadata: trusted } = request.body
    if (trusted !== undefined) throw new IdentityError('cannot_update_trusted_metadata')
    const metadata = untrusted === undefined ? undefined : JSON.stringify(untrusted, storable)
    if (metadata !== undefined && Buffer.byteLength(metadata) > MAX_METADATA_BYTES) {
      throw new IdentityError('metadata_too_large')
    }
    const user = await change(async work => {
      const session = await requireOwnSession(work, client)
      await requireComplete(work, session)
      const { userId } = session
      const changes = {
        ...(name !== undefined && {
          first_name: displayName(name.first_name),
          middle_name: displayName(name.middle_name),
          last_name: displayName(name.last_name),
        }),
        ...(metadata !== undefined && { untrusted_metadata: metadata }),
      }
      if (Object.keys(changes).length > 0) {
        await work.trx.updateTable('person').set(changes).where('user_id', '=', userId).execute()
      }
      return (await readUser(work.trx, userId))!
    })
    const { user_id, emails, phone_numbers, crypto_wallets } = user
    return answer(request, { user_id, emails, phone_numbers, crypto_wallets, __user: user })
  }
}

/** Replacer for `JSON.stringify`: Postgres stores neither NUL nor half of a surrogate pair in JSON. */
function storable(_key: string, value: unknown): unknown {
  if (typeof value === 'string') return storableText(value)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [storableText(name), member]))
}

function storableText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}

function displayName(name: string | undefined): string {
  return (name ?? '').replaceAll('\0', '').trim().slice(0, 128)
}
