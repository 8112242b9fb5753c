import type { Client } from '../http/client.ts'
import { findSession } from '../sessions/session.repository.ts'
import type { Work } from '../work.ts'
import type { EmailAddress } from './email-address.ts'
import {
  addEmail,
  createUser,
  type Email,
  findEmail,
  lockActiveUser,
  verifyEmail,
} from './user.repository.ts'

/**
 * Who signs in by having shown that a mailbox is theirs: its account; else, where that was meant, a
 * new one or the account of the person who asked. Null where the address opens nothing.
 */
export async function enterByEmail(
  work: Work,
  email: EmailAddress,
  caller: Client,
  meant: {
    readonly mayCreate: boolean
    /** Somebody signed in, to whom the address is added. */
    readonly addTo: string | null
    readonly emailId?: string
  },
): Promise<Email | null> {
  const known = await findEmail(work.trx, email.key)
  if (known !== null) {
    // It is somebody else's by now; whoever asked to add it does not get into their account.
    if (meant.addTo !== null && known.userId !== meant.addTo) return null
    if (!(await lockActiveUser(work.trx, known.userId))) return null
    await verifyEmail(work, known, { isTheirSession: await holdsSessionOf(work, caller, known.userId) })
    return known
  }
  const named = meant.emailId === undefined ? {} : { emailId: meant.emailId }
  if (meant.addTo !== null) {
    if (!(await lockActiveUser(work.trx, meant.addTo))) return null
    return addEmail(work, meant.addTo, email, { verified: true, ...named })
  }
  if (!meant.mayCreate) return null
  return addEmail(work, await createUser(work), email, { verified: true, ...named })
}

async function holdsSessionOf(
  { trx, now }: Work,
  { sessionToken }: Client,
  userId: string,
): Promise<boolean> {
  const session = sessionToken === null ? null : await findSession(trx, sessionToken, now)
  return session?.userId === userId
}
