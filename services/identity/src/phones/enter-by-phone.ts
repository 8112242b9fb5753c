import type { Deps } from '../deps.ts'
import type { Client } from '../http/client.ts'
import { notifyOfWay } from '../mail/notify-of-way.ts'
import { lockSessionOf } from '../sessions/lock-session-of.ts'
import type { EmailIntent } from '../users/enter-by-email.ts'
import { createUser, lockActiveUser } from '../users/user.repository.ts'
import type { Work } from '../work.ts'
import { addPhone, findPhone, type Phone, requireRoomForPhone } from './phone.repository.ts'

/**
 * Finds the account of a person who has proved that a number is theirs. A sign-in uses the account of the
 * number, or creates one if `mayCreate`. A code that adds a number counts only in a session of the person who
 * requested it. Call `lockAddressAndAccount` first.
 *
 * @returns the proved number; null, without any change, if it opens nothing
 */
export async function enterByPhone(
  work: Work,
  deps: Pick<Deps, 'limits' | 'enqueueMail' | 'settings'>,
  number: string,
  client: Client,
  { mayCreate, addTo }: EmailIntent,
): Promise<Phone | null> {
  const known = await findPhone(work.trx, number)
  if (addTo !== null) return addToAccount(work, deps, { number, known }, client, addTo)
  if (known !== null) return (await lockActiveUser(work.trx, known.userId)) ? known : null
  if (!mayCreate) return null
  return addPhone(work, await createUser(work, deps.limits, client), number)
}

async function addToAccount(
  work: Work,
  deps: Pick<Deps, 'limits' | 'enqueueMail' | 'settings'>,
  { number, known }: { readonly number: string; readonly known: Phone | null },
  client: Client,
  addTo: string,
): Promise<Phone | null> {
  if ((await lockSessionOf(work, client, addTo)) === null) return null
  if (known !== null) return known.userId === addTo ? known : null
  await requireRoomForPhone(work.trx, addTo, number)
  const added = await addPhone(work, addTo, number)
  await notifyOfWay(work, deps, addTo, 'phone_added')
  return added
}
