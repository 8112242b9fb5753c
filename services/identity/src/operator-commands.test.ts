import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { runCommand } from '@lapwing/testing/run-command.ts'
import { runNode } from '@lapwing/testing/run-node.ts'
import { sql } from 'kysely'
import { findConnection, findOrganization } from './organizations/organization.repository.ts'
import { goodPassword, type Harness, harness, linkIn } from './test/harness.ts'
import { startIssuer } from './test/issuer.ts'
import { waysIn } from './test/ways-in.ts'

let service: Harness

before(async () => {
  service = await harness()
})

after(() => service.close())

type Env = Readonly<Record<string, string>>

/** Runs a command with these variables only. */
const run = ([name = '', ...rest]: readonly string[], env: Env) =>
  runCommand([join(import.meta.dirname, name), ...rest], env)

/** Runs it as a process, as an operator does. */
const runProcess = ([name = '', ...rest]: readonly string[], env: Env) =>
  // Node's own variable: without it, each process compiles all of its code.
  runNode([join(import.meta.dirname, name), ...rest], {
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    ...env,
  })

test('locks an account, sets roles and rotates keys with only the variables that a command uses', async () => {
  const { userId, token } = await service.signUp('operated@example.com')
  const DATABASE_URL = service.databaseUrl
  const done = (out: string) => ({ code: 0, out: `identity: ${userId} ${out}\n` })
  assert.deepEqual(await runProcess(['lock-user.ts', userId], { DATABASE_URL }), done('is locked'))
  const authenticate = () =>
    service.call('authenticateSession', '/sdk/v1/sessions/authenticate', { as: token, body: {} })
  assert.equal((await authenticate()).status, 404)
  assert.deepEqual(await run(['lock-user.ts', userId, '--unlock'], { DATABASE_URL }), done('is unlocked'))
  const roles = await runProcess(['set-roles.ts', userId, 'moderator'], { DATABASE_URL })
  assert.deepEqual(roles, done('has moderator'))
  const KEY_ENCRYPTION_KEY = Buffer.alloc(32, 7).toString('base64')
  assert.equal((await runProcess(['rotate-keys.ts'], { DATABASE_URL, KEY_ENCRYPTION_KEY })).code, 0)
})

test('removes the app of an account, ends its sessions, drops its codes and links, and mails its owner', async () => {
  const email = 'lost.phone@example.com'
  const ways = waysIn(service)
  const { token, userId } = await ways.signUpWithApp(email)
  const env = {
    DATABASE_URL: service.databaseUrl,
    KEY_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    PUBLIC_ORIGIN: 'https://lapwing.test',
  }
  const { data: sent } = await service.call('sendEmailCode', '/sdk/v1/otps/email/send/primary', {
    body: { email },
  })
  await service.call('sendMagicLink', '/sdk/v1/magic_links/email/send/primary', { body: { email } })
  const mails = await service.mailsTo(email)
  const code = /\b\d{6}\b/.exec(mails.find(({ kind }) => kind === 'code')!.text)![0]
  const link = linkIn(mails.find(({ kind }) => kind === 'login')!).searchParams.get('token')

  const removal = await runProcess(['remove-app.ts', userId], env)
  assert.deepEqual(removal, { code: 0, out: `identity: ${userId} has no authenticator app\n` })
  assert.equal((await ways.recoveryCodes(token)).error, 'session_not_found')
  const byCode = await service.call('authenticateCode', '/sdk/v1/otps/authenticate', {
    body: { token: code, method_id: sent.method_id },
  })
  assert.equal(byCode.error, 'otp_code_not_found')
  const byLink = await service.call('authenticateMagicLink', '/sdk/v1/magic_links/authenticate', {
    body: { token: link },
  })
  assert.equal(byLink.error, 'unable_to_auth_magic_link')
  const { data } = await ways.signIn(email)
  assert.deepEqual(data.user.totps, [])
  // A session without the second factor of its account could not do this.
  assert.equal((await ways.startRegistration(data.session_token)).status, 200)
  assert.deepEqual(
    (await service.mailsTo(email)).map(({ kind }) => kind),
    ['totp_added', 'code', 'login', 'totp_removed'],
  )
  assert.equal((await run(['remove-app.ts', userId], env)).code, 1)
  assert.equal((await run(['remove-app.ts'], env)).code, 2)
})

test('registers an app, changes it, and turns it off and on', async () => {
  const DATABASE_URL = service.databaseUrl
  const create = (...args: string[]) => run(['create-connected-app.ts', ...args], { DATABASE_URL })
  const named = ['--name', 'Pit Wall', '--description', 'Shows laps.']
  const granted = ['--redirect', 'https://app.example/back', '--scope', 'laps:read']
  const created = await runProcess(['create-connected-app.ts', ...named, ...granted], { DATABASE_URL })
  assert.equal(created.code, 0, created.out)
  const id = /client_id (\S+)/.exec(created.out)![1]!
  assert.match(created.out, /client_secret is [\w-]{43}\n/)
  const changed = await create(...named, '--id', id, '--redirect', 'http://localhost:4000/back')
  assert.deepEqual(changed, { code: 0, out: `identity: the app Pit Wall has the client_id ${id}\n` })
  const { rows } = await sql`select redirect_uris, cardinality(scopes) as scopes from connected_app
    where client_id = ${id}`.execute(service.db)
  assert.deepEqual(rows, [{ redirect_uris: ['http://localhost:4000/back'], scopes: 6 }])
  const turn = (...args: string[]) => run(['disable-connected-app.ts', ...args], { DATABASE_URL })
  const off = await runProcess(['disable-connected-app.ts', id], { DATABASE_URL })
  assert.deepEqual(off, { code: 0, out: `identity: ${id} is turned off\n` })
  assert.deepEqual(await turn(id, '--enable'), { code: 0, out: `identity: ${id} is turned on\n` })
  assert.equal((await turn('none')).code, 1)
  assert.equal((await turn()).code, 2)
  for (const [args, problem] of [
    [['--redirect', 'http://app.example/back'], /must be https/],
    [['--redirect', 'javascript:alert(1)'], /must be https/],
    [['--redirect', 'https://app.example/#a'], /fragment/],
    [['--redirect', 'https://app.example/*', '--scope', 'admin'], /no scope admin/],
    [[], /--redirect is missing/],
    [['--secret', 'x'], /Unknown option/],
  ] as const) {
    const refused = await create(...named, ...args)
    assert.equal(refused.code, 2)
    assert.match(refused.out, problem)
  }
})

test('prints a link that opens an account for an operator, once', async () => {
  const { userId } = await service.signUp('watched@example.com')
  const env = { DATABASE_URL: service.databaseUrl, PUBLIC_ORIGIN: 'https://lapwing.test' }
  // The service of the test has a clock of its own.
  const ahead = Date.now() - service.now().getTime()
  const args = ['impersonate.ts', userId, 'operator@lapwing.test', 'a', 'lap', 'is', 'missing']
  const { code, out } = await runProcess(args, env)
  assert.equal(code, 0, out)
  const { pathname, searchParams } = linkIn({ text: out })
  assert.deepEqual([pathname, searchParams.get('stytch_token_type')], ['/authenticate', 'impersonation'])
  service.advance(ahead)
  const open = () =>
    service.call('authenticateImpersonation', '/sdk/v1/impersonation/authenticate', {
      body: { impersonation_token: searchParams.get('token') },
    })
  assert.equal((await open()).data.user_id, userId)
  assert.equal((await open()).error, 'unable_to_auth_impersonation_token')
  const { reason } = await service.db.selectFrom('impersonation').select('reason').executeTakeFirstOrThrow()
  assert.equal(reason, 'a lap is missing')
  for (const [wrong, exit] of [
    [['impersonate.ts', userId, 'operator@lapwing.test'], 2],
    [['impersonate.ts', userId, 'operator', 'a reason'], 2],
    [['impersonate.ts', 'user-live-nobody', 'operator@lapwing.test', 'a reason'], 1],
  ] as const) {
    assert.equal((await run(wrong, env)).code, exit, wrong.join(' '))
  }
})

test('adds a trusted issuer once, removes it, and refuses addresses that others could change', async () => {
  const env = { DATABASE_URL: service.databaseUrl }
  const trust = (...args: string[]) => run(['trusted-issuers.ts', ...args], env)
  const club = ['add', 'club', 'https://id.club.test', 'lapwing', 'https://id.club.test/keys']
  assert.deepEqual(await runProcess(['trusted-issuers.ts', ...club], env), {
    code: 0,
    out: 'identity: https://id.club.test is trusted as club\n',
  })
  assert.equal((await trust(...club)).code, 1)
  assert.deepEqual(
    await service.db.selectFrom('trusted_profile').select(['audience', 'keys_url']).execute(),
    [{ audience: 'lapwing', keys_url: 'https://id.club.test/keys' }],
  )
  for (const wrong of [
    [],
    ['add', 'club'],
    ['add', 'a club', ...club.slice(2)],
    ['add', 'other', 'http://id.club.test', 'lapwing', 'https://id.club.test/keys'],
    ['add', 'other', 'https://id.club.test', 'lapwing', 'http://id.club.test/keys'],
    ['add', 'other', 'https://id.club.test', '', 'https://id.club.test/keys'],
    ['remove'],
  ]) {
    assert.equal((await trust(...wrong)).code, 2, wrong.join(' '))
  }
  assert.equal((await trust('remove', 'club')).code, 0)
  assert.equal((await trust('remove', 'club')).code, 1)
})

test('creates an organization with a sign-in of its own, changes it, turns it off and on, and lists it', async () => {
  const issuer = await startIssuer()
  const folder = await mkdtemp(join(tmpdir(), 'lapwing-'))
  try {
    const secretFile = join(folder, 'secret')
    await writeFile(secretFile, `${issuer.clientSecret}\n`)
    const env = {
      DATABASE_URL: service.databaseUrl,
      KEY_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      PUBLIC_ORIGIN: 'https://lapwing.test',
      OAUTH_TIMEOUT_MS: '2000',
    }
    const organizations = (...args: string[]) => run(['organizations.ts', ...args], env)
    const named = ['save', '--name', 'Example Racing']
    const created = await organizations(...named, '--domain', 'Racing.example', '--method', 'sso')
    assert.equal(created.code, 0, created.out)
    const id = /has the id (\S+)/.exec(created.out)![1]!

    const client = ['--issuer', issuer.url, '--client-id', issuer.clientId, '--secret-file', secretFile]
    const connect = (...args: string[]) =>
      organizations('connect', id, '--name', 'Head office', ...client, ...args)
    const connected = await runProcess(
      ['organizations.ts', 'connect', id, '--name', 'Head office', ...client],
      env,
    )
    assert.equal(connected.code, 0, connected.out)
    const connectionId = /has the id (\S+)/.exec(connected.out)![1]!
    for (const shown of [
      `${issuer.url}/authorize`,
      `${issuer.url}/token, ${issuer.url}/keys, ${issuer.url}/userinfo`,
      `https://lapwing.test/v1/public/sso/${connectionId}/callback`,
    ]) {
      assert.ok(connected.out.includes(shown), connected.out)
    }
    const found = await findConnection(service.db, service.deps.cipher, connectionId)
    assert.equal(found?.client.clientSecret, issuer.clientSecret)
    assert.equal((await connect('--id', connectionId)).code, 0)
    const moved = await connect('--id', connectionId, '--client-id', 'another')
    assert.deepEqual(
      [moved.code, /no connection .* with this issuer and client id/.test(moved.out)],
      [1, true],
    )

    const claimed = await organizations(
      'save',
      '--name',
      'Thief',
      '--domain',
      'racing.example',
      '--method',
      'sso',
    )
    assert.deepEqual(claimed, {
      code: 1,
      out: `identity: racing.example is claimed by Example Racing (${id}) already. A domain belongs to one organization.\n`,
    })
    const second = [
      '--domain',
      'racing.example',
      '--domain',
      'two.example',
      '--method',
      'emailOtp',
      '--method',
      'sso',
    ]
    assert.equal((await organizations(...named, ...second, '--id', id)).code, 0)
    const { out } = await organizations('list')
    assert.equal(
      out,
      `identity: ${id} Example Racing on emailOtp,sso racing.example,two.example 0 members ${connectionId} Head office ${issuer.url}\n`,
    )
    assert.equal((await organizations('disable', id)).code, 0)
    assert.equal(await findOrganization(service.db, id), null)
    assert.equal((await organizations('enable', id)).code, 0)
    assert.equal((await organizations('disconnect', connectionId)).code, 0)
    assert.equal((await organizations('disconnect', connectionId)).code, 1)
    assert.deepEqual(
      (
        await service.db
          .selectFrom('organization_event')
          .select('kind')
          .where('organization_id', '=', id)
          .orderBy('happened_at')
          .execute()
      ).map(({ kind }) => kind),
      [
        'organization_created',
        'connection_saved',
        'connection_saved',
        'organization_changed',
        'organization_disabled',
        'organization_enabled',
        'connection_removed',
      ],
    )

    for (const [args, code, problem] of [
      [['save', '--name', 'X', '--domain', 'gmail.com', '--method', 'sso'], 1, /public mail provider/],
      [['save', '--name', 'X', '--domain', 'x.example', '--method', 'saml'], 2, /no method saml/],
      [['save', '--name', 'X', '--method', 'sso'], 2, /needs a domain/],
      [
        ['save', '--name', 'X', '--domain', 'x.example', '--method', 'sso', '--id', 'none'],
        1,
        /no organization none/,
      ],
      [['connect', 'none', '--name', 'X', ...client], 1, /no organization none/],
      [['connect', id, '--name', 'X', ...client, '--issuer', 'http://racing.example'], 1, /https/],
      [['connect', id, '--name', 'X', ...client, '--secret-file', '/none'], 2, /cannot be read/],
      [['disable'], 2, /node src/],
      [['disable', 'none'], 1, /no organization none/],
      [['constructor'], 2, /node src/],
    ] as const) {
      const refused = await organizations(...args)
      assert.deepEqual([refused.code, problem.test(refused.out)], [code, true], refused.out)
    }
  } finally {
    await issuer.close()
    await rm(folder, { recursive: true })
  }
})

test('ends with 2 for a missing variable or a wrong command, and with 1 for an unknown account', async () => {
  const missing = await run(['lock-user.ts', 'user-1'], {})
  assert.deepEqual([missing.code, missing.out.includes('DATABASE_URL is missing')], [2, true])
  const DATABASE_URL = service.databaseUrl
  assert.equal((await run(['lock-user.ts', 'user-1', '--lock'], { DATABASE_URL })).code, 2)
  assert.equal((await run(['set-roles.ts', 'user-1', 'king'], { DATABASE_URL })).code, 2)
  assert.equal((await run(['lock-user.ts', 'user-1'], { DATABASE_URL })).code, 1)
})

test('signs one person out, or everybody, and ends the tokens of their apps', async () => {
  const DATABASE_URL = service.databaseUrl
  const end = (...args: string[]) => run(['end-sessions.ts', ...args], { DATABASE_URL })
  const read = async (as: string) =>
    (await service.call('getMe', '/sdk/v1/users/me', { method: 'GET', as })).status
  // The command has the clock of the machine, and lists only sessions whose tokens have not expired.
  service.advance(Date.now() - service.now().getTime())
  await end('--all')
  const ada = await service.signUp('signed.out@example.com')
  const ben = await service.signUp('stays.meanwhile@example.com')
  const password = { email: 'signed.out@example.com', password: goodPassword }
  const { data: again } = await service.call('authenticatePassword', '/sdk/v1/passwords/authenticate', {
    body: password,
  })
  const ended = await runProcess(['end-sessions.ts', ada.userId], { DATABASE_URL })
  assert.deepEqual(ended, { code: 0, out: 'identity: 1 account was signed out\n' })
  assert.deepEqual(await Promise.all([ada.token, again.session_token, ben.token].map(read)), [404, 404, 200])
  const revoked = await service.db
    .selectFrom('revoked_session')
    .select('session_id')
    .where('session_id', 'in', [ada.sessionId, again.session.session_id])
    .execute()
  assert.equal(revoked.length, 2, 'services refuse their tokens, too')
  assert.equal((await end(ada.userId)).code, 1)

  // An app can have tokens while its person has no session.
  await sql`insert into connected_app (client_id, name, description, redirect_uris, post_logout_redirect_uris, scopes, created_at)
    values ('ends', 'Pit Wall', '', '{}', '{}', '{}', now())`.execute(service.db)
  await sql`insert into app_authorization (authorization_id, user_id, client_id, scopes, redirect_uri, code_hash,
      code_challenge, code_expires_at, signed_in_at, created_at, access_expires_at, expires_at)
    values ('ends', ${ada.userId}, 'ends', '{}', '', '', '', now(), now(), now(), now() + interval '1 hour',
      now() + interval '90 days')`.execute(service.db)
  assert.deepEqual(await end('--all'), { code: 0, out: 'identity: 2 accounts were signed out\n' })
  assert.equal(await read(ben.token), 404)
  const { rows } = await sql`select from app_authorization`.execute(service.db)
  assert.equal(rows.length, 0)
  assert.equal(
    (await service.call('authenticatePassword', '/sdk/v1/passwords/authenticate', { body: password })).status,
    200,
  )
  assert.equal((await end('--all')).code, 0)
  assert.equal((await end()).code, 2)
  assert.equal((await end('--everybody')).code, 2)
})
