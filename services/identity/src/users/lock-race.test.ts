import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type RawBuilder, sql } from 'kysely'
import { issueImpersonation } from '../impersonation/impersonation.repository.ts'
import { findSession } from '../sessions/session.repository.ts'
import { Authenticator } from '../test/authenticator.ts'
import { goodPassword, type Harness, harness, linkIn, origin, type Reply } from '../test/harness.ts'
import { newWallet } from '../test/wallets.ts'
import { waysIn } from '../test/ways-in.ts'
import { issueToken } from '../tokens/token.ts'
import { acceptStep, lockTotp } from '../totps/totp.repository.ts'
import { lockUser } from './lock-user.ts'
import { setRoles } from './set-roles.ts'
import { lockActiveUser } from './user.repository.ts'

let service: Harness

before(async () => {
  service = await harness()
})

after(() => service.close())

const newPassword = 'quiet marshal umbrella 7'

/** Blocks a sign-in after it has locked its person, and before it writes the session. */
const passwordOf = (userId: string) => sql`select from password where user_id = ${userId} for update`
const allSessions = () => sql`lock table session in share mode`

interface Way {
  /** Prepares a person's sign-in and returns a function that runs it. */
  readonly prepare: (email: string, token: string) => Promise<() => Promise<Reply>>
  readonly stopAt: (userId: string) => RawBuilder<unknown>
}

const ways: Readonly<Record<string, Way>> = {
  password: {
    prepare: async email => () => signIn(email),
    stopAt: passwordOf,
  },
  'password in a session': {
    prepare: async (email, as) => () => signIn(email, as),
    stopAt: passwordOf,
  },
  code: {
    async prepare(email) {
      const { data } = await service.call('sendEmailCode', '/sdk/v1/otps/email/send/primary', {
        body: { email },
      })
      const code = /\b\d{6}\b/.exec((await newestMail(email)).text)![0]
      return () =>
        service.call('authenticateCode', '/sdk/v1/otps/authenticate', {
          body: { token: code, method_id: data.method_id },
        })
    },
    stopAt: allSessions,
  },
  link: {
    async prepare(email) {
      await service.call('sendMagicLink', '/sdk/v1/magic_links/email/send/primary', { body: { email } })
      const token = linkIn(await newestMail(email)).searchParams.get('token')
      return () =>
        service.call('authenticateMagicLink', '/sdk/v1/magic_links/authenticate', { body: { token } })
    },
    stopAt: allSessions,
  },
  provider: {
    async prepare(email) {
      const profile = { subject: email, email, emailVerified: true, pictureUrl: '', locale: '' }
      const { user_id } = await service.db
        .selectFrom('email')
        .select('user_id')
        .where('address', '=', email)
        .executeTakeFirstOrThrow()
      const token = await service.deps.change(work =>
        issueToken(work, {
          kind: 'oauth',
          userId: user_id,
          data: { provider: 'google', profile },
          codeChallenge: undefined,
          minutes: 5,
        }),
      )
      return () => service.call('authenticateOAuth', '/sdk/v1/oauth/authenticate', { body: { token } })
    },
    stopAt: allSessions,
  },
  passkey: {
    async prepare(_, as) {
      const own = waysIn(service)
      const { authenticator } = await own.addPasskey(as)
      const credential = authenticator.get(await own.challenge())
      return () => own.usePasskey(credential)
    },
    stopAt: allSessions,
  },
  'the code of an app': {
    async prepare(_, as) {
      const own = waysIn(service)
      const app = await own.createApp(as)
      return () => own.typeCode(as, app.code())
    },
    stopAt: allSessions,
  },
  'a recovery code': {
    async prepare(_, as) {
      const own = waysIn(service)
      const app = await own.createApp(as)
      const { data } = await own.typeCode(as, app.code())
      return () => own.recover(data.session_token, app.recoveryCodes[0]!)
    },
    stopAt: allSessions,
  },
  'a new passkey': {
    async prepare(_, as) {
      const own = waysIn(service)
      const { data } = await own.startRegistration(as)
      const credential = new Authenticator().create(data.public_key_credential_creation_options)
      return () => own.register(as, credential)
    },
    stopAt: allSessions,
  },
  wallet: {
    async prepare(_, as) {
      const own = waysIn(service)
      const wallet = newWallet('ethereum')
      await own.addWallet(wallet, as)
      const { data } = await own.startWallet(wallet)
      const signature = await wallet.sign(data.challenge)
      return () => own.useWallet(wallet, signature)
    },
    stopAt: allSessions,
  },
  'a new wallet': {
    async prepare(_, as) {
      const own = waysIn(service)
      const wallet = newWallet('solana')
      const { data } = await own.startWalletInSession(wallet, as)
      const signature = await wallet.sign(data.challenge)
      return () => own.useWallet(wallet, signature, as)
    },
    stopAt: allSessions,
  },
  'a new social account': {
    async prepare(email, as) {
      const { userId, sessionId } = (await findSession(service.db, as, service.now()))!
      const profile = {
        subject: `new ${email}`,
        email: null,
        emailVerified: false,
        pictureUrl: '',
        locale: '',
      }
      const token = await service.deps.change(work =>
        issueToken(work, {
          kind: 'oauth',
          userId,
          data: { provider: 'google', profile, attachment: { userId, sessionId } },
          codeChallenge: undefined,
          minutes: 5,
        }),
      )
      return () => service.call('authenticateOAuth', '/sdk/v1/oauth/authenticate', { as, body: { token } })
    },
    stopAt: allSessions,
  },
  'the access token of an app': {
    async prepare(email, as) {
      const { userId } = (await findSession(service.db, as, service.now()))!
      const issuedAt = Math.floor(service.now().getTime() / 1_000)
      const claims = {
        iss: origin,
        aud: `${origin}/api`,
        sub: userId,
        client_id: 'app',
        scope: 'full_access',
        iat: issuedAt,
        exp: issuedAt + 900,
        jti: email,
        authorization_id: email,
      }
      const access_token = await service.deps.keys.sign(claims, 'at+jwt')
      return () =>
        service.call('exchangeAccessToken', '/sdk/v1/sessions/exchange_access_token', {
          body: { access_token },
        })
    },
    stopAt: allSessions,
  },
  'the link of an operator': {
    async prepare(_, as) {
      const { userId } = (await findSession(service.db, as, service.now()))!
      const impersonation_token = await service.deps.change(work =>
        issueImpersonation(work, { userId, operator: 'operator@example.com', reason: 'help' }),
      )
      return () =>
        service.call('authenticateImpersonation', '/sdk/v1/impersonation/authenticate', {
          body: { impersonation_token },
        })
    },
    stopAt: allSessions,
  },
  'renewal of a session': {
    prepare: async (_, as) => () =>
      service.call('authenticateSession', '/sdk/v1/sessions/authenticate', {
        as,
        body: { session_duration_minutes: 60 },
      }),
    stopAt: allSessions,
  },
  'reset by mail': {
    async prepare(email) {
      await service.call('startPasswordReset', '/sdk/v1/passwords/email/reset/start', { body: { email } })
      const token = linkIn(await newestMail(email)).searchParams.get('token')
      return () =>
        service.call('resetPasswordByEmail', '/sdk/v1/passwords/email/reset', {
          body: { token, password: newPassword },
        })
    },
    stopAt: passwordOf,
  },
  'reset by the old password': {
    prepare: async email => () =>
      service.call('resetPasswordByExisting', '/sdk/v1/passwords/existing_password/reset', {
        body: { email, existing_password: goodPassword, new_password: newPassword },
      }),
    stopAt: passwordOf,
  },
  'reset by a session': {
    prepare: async (_, as) => () =>
      service.call('resetPasswordBySession', '/sdk/v1/passwords/session/reset', {
        as,
        body: { password: newPassword },
      }),
    stopAt: passwordOf,
  },
}

const signIn = (email: string, as?: string) =>
  service.call('authenticatePassword', '/sdk/v1/passwords/authenticate', {
    body: { email, password: goodPassword },
    ...(as !== undefined && { as }),
  })

async function newestMail(email: string) {
  return (await service.mailsTo(email)).at(-1)!
}

/** Waits until `count` statements wait for locks. */
async function untilWaiting(count: number): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ waiting: string }>`select count(*) as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(service.db)
    if (Number(rows[0]!.waiting) >= count) return
  }
}

async function signUpVerified(email: string) {
  const { userId, token } = await service.signUp(email)
  await service.db.updateTable('email').set({ verified: true }).where('user_id', '=', userId).execute()
  return { userId, token }
}

async function sessionsOf(userId: string): Promise<number> {
  return (await service.db.selectFrom('session').select('session_id').where('user_id', '=', userId).execute())
    .length
}

test('leaves a role out of the JWT if an operator removes it during the sign-in', async () => {
  const { userId } = await signUpVerified('roles@example.com')
  await service.deps.change(work => setRoles(work, userId, ['moderator']))
  const held = Promise.withResolvers<void>()
  const isRemoved = Promise.withResolvers<void>()
  const removing = service.deps.change(async work => {
    await setRoles(work, userId, [])
    isRemoved.resolve()
    await held.promise
  })
  await isRemoved.promise
  const entering = signIn('roles@example.com')
  await untilWaiting(1)
  held.resolve()
  await removing
  const { data } = await entering
  assert.deepEqual(data.user.roles, ['driver'])
  const payload = JSON.parse(Buffer.from(data.session_jwt.split('.')[1], 'base64url').toString())
  assert.deepEqual(payload['https://stytch.com/session'].roles, ['driver'])
})

test('asks for the second factor if the app is confirmed during the sign-in', async () => {
  const { userId, token } = await signUpVerified('app.meanwhile@example.com')
  const { totpId } = await waysIn(service).createApp(token)
  const held = Promise.withResolvers<void>()
  const isConfirmed = Promise.withResolvers<void>()
  const confirming = service.deps.change(async work => {
    await lockActiveUser(work.trx, userId)
    const totp = await lockTotp(work.trx, userId)
    await acceptStep(work.trx, userId, totp!, 1)
    isConfirmed.resolve()
    await held.promise
  })
  await isConfirmed.promise
  const entering = signIn('app.meanwhile@example.com')
  await untilWaiting(1)
  held.resolve()
  await confirming
  const { data } = await entering
  assert.deepEqual(data.user.totps, [{ totp_id: totpId, verified: true }])
  const payload = JSON.parse(Buffer.from(data.session_jwt.split('.')[1], 'base64url').toString())
  assert.deepEqual(payload.aud, [`${service.deps.settings.projectId}/second-factor`])
})

for (const [name, { prepare, stopAt }] of Object.entries(ways)) {
  const email = (order: string) => `${name.replaceAll(' ', '.')}.${order}@example.com`

  test(`leaves no session if an operator locks the account before a sign-in by ${name} finishes`, async () => {
    const { userId, token } = await signUpVerified(email('lock'))
    const enter = await prepare(email('lock'), token)
    const held = Promise.withResolvers<void>()
    const isLocked = Promise.withResolvers<void>()
    const locking = service.deps.change(async work => {
      await lockUser(work, userId, true)
      isLocked.resolve()
      await held.promise
    })
    await isLocked.promise
    const entering = enter()
    await untilWaiting(1)
    held.resolve()
    await locking
    const { status } = await entering
    assert.ok(status >= 400 && status < 500, `${status}`)
    assert.equal(await sessionsOf(userId), 0)
  })

  test(`leaves no session if an operator locks the account after a sign-in by ${name} began`, async () => {
    const { userId, token } = await signUpVerified(email('signin'))
    const enter = await prepare(email('signin'), token)
    const held = Promise.withResolvers<void>()
    const isStopped = Promise.withResolvers<void>()
    const stopping = service.db.transaction().execute(async trx => {
      await stopAt(userId).execute(trx)
      isStopped.resolve()
      await held.promise
    })
    await isStopped.promise
    const entering = enter()
    await untilWaiting(1)
    const locking = service.deps.change(work => lockUser(work, userId, true))
    await untilWaiting(2)
    held.resolve()
    await stopping
    assert.equal(await locking, true)
    const { status, data } = await entering
    assert.ok(status < 500, `${status}`)
    assert.equal(await sessionsOf(userId), 0)
    if (status !== 200) return
    const later = await service.call('authenticateSession', '/sdk/v1/sessions/authenticate', {
      as: data.session_token,
      body: {},
    })
    assert.equal(later.error, 'session_not_found')
  })
}
