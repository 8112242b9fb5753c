import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPasswords } from '@lapwing/identity-client/passwords'
import { anAccount } from '#testing/an-account.ts'
import { memoryStore } from '#testing/memory-store.ts'
import { authTab } from './auth-tab.ts'
import { deleteAccount } from './delete-account.ts'
import { createPreferenceCache, type Preferences } from './preference-cache.ts'
import { preferencesOfUser } from './preferences-of-user.ts'
import { savePreferences } from './save-preferences.ts'
import { saveUsername } from './save-username.ts'
import { signOut } from './sign-out.ts'
import { createUsernameMarks, offersUsername } from './username-marks.ts'

const driver = { email: 'driver@lapwing.test', password: 'correct horse' }

async function aDriver() {
  const page = anAccount()
  page.identity.addUser(driver)
  page.account.session.adopt(await createPasswords(page.account.client).authenticate(driver))
  const state = page.account.session.get()
  assert.ok(state.status === 'signed-in')
  return { ...page, userId: state.session.userId }
}

test('shows that a name is saved, and remembers it as chosen by this driver', async () => {
  const { account, userId, notices, calls, marks } = await aDriver()
  assert.equal(await saveUsername(account, userId, ' apexhunter '), 'apexhunter')
  assert.deepEqual(calls().at(-1)?.body, { username: 'apexhunter' })
  assert.deepEqual(notices, ['success: Username updated successfully!'])
  assert.equal(marks.isChanged(userId), true)
  assert.equal(marks.isChanged('somebody else'), false)
})

test('asks for a name if the field is empty, and sends nothing', async () => {
  const { account, userId, notices, calls } = await aDriver()
  assert.equal(await saveUsername(account, userId, '  '), null)
  assert.deepEqual(notices, ['error: Please enter a username'])
  assert.equal(calls().length, 0)
})

test('shows why a name cannot be saved', async () => {
  const { account, userId, notices, answerNext, marks } = await aDriver()
  await saveUsername(account, userId, 'taken-name')
  answerNext(new Response('<h1>', { status: 502 }))
  await saveUsername(account, userId, 'apexhunter')
  answerNext({ network: true })
  await saveUsername(account, userId, 'apexhunter')
  assert.deepEqual(notices, [
    'error: Username is already taken',
    'error: Failed to update username',
    'error: Failed to update username. Please try again.',
  ])
  assert.equal(marks.isChanged(userId), false)
})

test('offers a new name while the name is a generated one that the driver has not chosen', () => {
  const marks = createUsernameMarks(memoryStore())
  const generated = (username: string) => ({ username, is_default: true })
  assert.equal(offersUsername(generated('user0a1b2c3'), 'user-1', marks), true)
  assert.equal(offersUsername(generated('USER0A1B2C3'), 'user-1', marks), true)
  for (const chosen of ['apexhunter', 'user', 'user123456', 'user12345678', 'user1234-67', 'myuser0a1b2c3']) {
    assert.equal(offersUsername(generated(chosen), 'user-1', marks), false, chosen)
  }
  // Chosen in another browser, though it looks like a generated one.
  assert.equal(offersUsername({ username: 'user0a1b2c3', is_default: false }, 'user-1', marks), false)
  marks.markChanged('user-1')
  assert.equal(offersUsername(generated('user0a1b2c3'), 'user-1', marks), false)
  assert.equal(offersUsername(generated('user0a1b2c3'), 'user-2', marks), true)
})

const none = { waitlist: false, marketing: false }
const wanting = (changes: Partial<Preferences>) => ({ changes, known: none, ofUser: none })

test('saves preferences, shows the result and caches them for five minutes', async () => {
  const { account, userId, notices, calls, clock } = await aDriver()
  const saved = await savePreferences(account, userId, wanting({ waitlist: true, marketing: false }))
  assert.equal(saved?.waitlist_position, 42)
  assert.deepEqual(calls().at(-1)?.body, { waitlist: true, marketing: false })
  assert.deepEqual(notices, ['success: Preferences saved successfully!'])
  assert.deepEqual(account.preferenceCache.get(userId), { waitlist: true, marketing: false })
  assert.equal(account.preferenceCache.get('somebody else'), null)
  await clock.advance(5 * 60_000 - 1)
  assert.ok(account.preferenceCache.get(userId))
  await clock.advance(1)
  assert.equal(account.preferenceCache.get(userId), null)
})

test('keeps the stored value of unchanged preferences, and loads it first if it is unknown', async () => {
  const { account, userId, calls, answerNext } = await aDriver()
  const change = (known: Preferences | null) =>
    savePreferences(account, userId, { changes: { marketing: true }, known, ofUser: none })
  await change({ waitlist: true, marketing: false })
  assert.deepEqual(calls().at(-1)?.body, { waitlist: true, marketing: true })
  answerNext(Response.json({ waitlist: true, marketing: false, waitlist_position: 3, early_access: true }))
  await change(null)
  assert.deepEqual(calls().at(-1)?.body, { waitlist: true, marketing: true })
  answerNext({ network: true })
  await change(null)
  assert.deepEqual(calls().at(-1)?.body, { waitlist: false, marketing: true })
})

test('shows one message if the server refuses preferences and another if the call fails', async () => {
  const { account, userId, notices, answerNext } = await aDriver()
  answerNext(new Response('', { status: 500 }))
  assert.equal(await savePreferences(account, userId, wanting({ waitlist: true, marketing: true })), null)
  answerNext({ network: true })
  await savePreferences(account, userId, wanting({ waitlist: true, marketing: true }))
  assert.deepEqual(notices, ['error: Failed to save preferences', 'error: Error saving preferences'])
  assert.equal(account.preferenceCache.get(userId), null)
})

test('ignores nonsense in the storage of preferences', () => {
  for (const stored of [
    '',
    '{',
    'null',
    '[]',
    '{"of":"u"}',
    '{"of":"u","savedAtMs":"x"}',
    '{"of":"u","savedAtMs":9e15}',
  ]) {
    const cache = createPreferenceCache(memoryStore(new Map([['lapwing.preferences', stored]])), () => 1000)
    assert.equal(cache.get('u'), null, stored)
  }
})

test('reads the first boolean among the paths of a preference, else false', () => {
  const both = (value: unknown) => ({ waitlist: value, marketing: value })
  for (const [user, preferences] of [
    [null, both(false)],
    [{}, both(false)],
    [{ trusted_metadata: null, untrusted_metadata: 'x' }, both(false)],
    [{ trusted_metadata: { consent: both(true) } }, both(true)],
    [{ trusted_metadata: both(true) }, both(true)],
    [{ trusted_metadata: { consent_waitlist: true, consent_marketing: true } }, both(true)],
    [{ trusted_metadata: { preferences: both(true) } }, both(true)],
    [{ untrusted_metadata: { consent: both(true) } }, both(true)],
    [{ untrusted_metadata: both(true) }, both(true)],
    [{ trusted_metadata: { consent: both('true'), ...both(1) }, untrusted_metadata: both(true) }, both(true)],
    [{ trusted_metadata: { consent: both(false) }, untrusted_metadata: both(true) }, both(false)],
    [{ trusted_metadata: { consent: { waitlist: true } } }, { waitlist: true, marketing: false }],
  ] as const) {
    assert.deepEqual(preferencesOfUser(user), preferences, JSON.stringify(user))
  }
})

test('signs out, deletes the stored files, shows it and reloads the page after 300 ms', async () => {
  const { account, notices, clock, reloads, forgotten } = await aDriver()
  authTab.set('signup')
  assert.equal(await signOut(account), true)
  // The next “Sign in” opens the log-in tab.
  assert.equal(authTab.get(), 'login')
  assert.equal(forgotten(), 1)
  assert.deepEqual(notices, ['success: Signed out'])
  await clock.advance(299)
  assert.equal(reloads(), 0)
  await clock.advance(1)
  assert.equal(reloads(), 1)
})

test('shows that a sign-out failed, and the driver stays signed in', async () => {
  const { account, notices, clock, identity, reloads, forgotten } = await aDriver()
  identity.failNext('/sessions/revoke', { network: true })
  assert.equal(await signOut(account), false)
  assert.equal(forgotten(), 0)
  assert.deepEqual(notices, ['error: Sign out failed.'])
  await clock.advance(1000)
  assert.equal(reloads(), 0)
  assert.equal(account.session.get().status, 'signed-in')
})

test('signs out and reloads after the account is deleted, and shows why it cannot be deleted', async () => {
  const { account, notices, clock, reloads, forgotten } = await aDriver()
  assert.equal(await deleteAccount(account, 'somebody'), 'Type your username to delete the account.')
  assert.equal(account.session.get().status, 'signed-in')
  const { username } = await account.api.getUsername()
  assert.equal(await deleteAccount(account, username), null)
  assert.equal(account.session.get().status, 'signed-out')
  assert.equal(forgotten(), 1)
  assert.deepEqual(notices, ['success: Account deleted'])
  await clock.advance(300)
  assert.equal(reloads(), 1)
})
