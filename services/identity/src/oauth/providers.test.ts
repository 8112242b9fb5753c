import assert from 'node:assert/strict'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { exportJWK, exportPKCS8, generateKeyPair, jwtVerify, SignJWT } from 'jose'
import type { OAuthClient } from './config.ts'
import { createExchangeCode } from './exchange-code.ts'
import { type Provider, type ProviderName, providerNames, providers } from './providers.ts'
import type { Profile } from './read-profile.ts'

test('has the nineteen providers of the protocol', () => {
  assert.deepEqual(providerNames.toSorted(), [
    'amazon',
    'apple',
    'bitbucket',
    'coinbase',
    'discord',
    'facebook',
    'figma',
    'github',
    'gitlab',
    'google',
    'linkedin',
    'microsoft',
    'salesforce',
    'slack',
    'snapchat',
    'tiktok',
    'twitch',
    'twitter',
    'yahoo',
  ])
})

for (const name of providerNames) {
  test(`${name}: has only https addresses, a scope and a source of the person’s id`, () => {
    const row: Provider = providers[name]
    const addresses = [
      row.authorizeUrl,
      row.tokenUrl,
      row.profileUrl,
      row.issuer,
      row.keysUrl,
      row.emails?.url,
    ]
    for (const address of addresses.filter(address => typeof address === 'string')) {
      assert.equal(new URL(address).protocol, 'https:', address)
    }
    assert.ok(row.scopes.length > 0)
    assert.ok(
      row.profileUrl !== null || row.issuer !== undefined,
      'a profile or an ID token identifies the person',
    )
    assert.equal(row.keysUrl === undefined, row.issuer === undefined)
    // An address joins an account only if the provider confirms it.
    if (row.claims.verified !== undefined) assert.ok(row.claims.email)
  })
}

interface Example {
  /** Claims of the ID token, for providers with one. */
  readonly idToken?: object
  readonly profile?: unknown
  readonly emails?: unknown
  readonly token?: object
  readonly expected: Profile
}

/** The answers in each provider's documentation, and the expected profile. */
const examples: Record<ProviderName, Example> = {
  google: {
    idToken: { iss: 'https://accounts.google.com', sub: '110169484474386276334' },
    profile: {
      sub: '110169484474386276334',
      name: 'Ada',
      picture: 'https://lh3.googleusercontent.com/a/photo',
      email: 'ada@example.test',
      email_verified: true,
      locale: 'en',
    },
    expected: {
      subject: '110169484474386276334',
      email: 'ada@example.test',
      emailVerified: true,
      pictureUrl: 'https://lh3.googleusercontent.com/a/photo',
      locale: 'en',
    },
  },
  microsoft: {
    idToken: {
      iss: 'https://login.microsoftonline.com/9122040d-6c67-4c5b-b112-36a304b66dad/v2.0',
      tid: '9122040d-6c67-4c5b-b112-36a304b66dad',
      sub: 'AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ',
      email: 'ada@example.test',
    },
    // Without `xms_edov` any tenant's administrator could have written the address.
    expected: {
      subject: 'AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ',
      email: 'ada@example.test',
      emailVerified: false,
      pictureUrl: '',
      locale: '',
    },
  },
  apple: {
    idToken: {
      iss: 'https://appleid.apple.com',
      sub: '000792.d71059495fa24644b94e4a644e2e3b4a.0638',
      email: 'ada@privaterelay.example.test',
      email_verified: 'true',
    },
    expected: {
      subject: '000792.d71059495fa24644b94e4a644e2e3b4a.0638',
      email: 'ada@privaterelay.example.test',
      emailVerified: true,
      pictureUrl: '',
      locale: '',
    },
  },
  github: {
    profile: {
      id: 583231,
      login: 'octocat',
      avatar_url: 'https://github.com/images/octocat.gif',
      email: 'public@x.test',
    },
    emails: [
      { email: 'old@example.test', verified: true, primary: false },
      { email: 'ada@example.test', verified: true, primary: true, visibility: 'private' },
    ],
    expected: {
      subject: '583231',
      email: 'ada@example.test',
      emailVerified: true,
      pictureUrl: 'https://github.com/images/octocat.gif',
      locale: '',
    },
  },
  gitlab: {
    profile: {
      sub: '42',
      email: 'ada@example.test',
      email_verified: true,
      picture: 'https://gitlab.com/a.png',
    },
    expected: {
      subject: '42',
      email: 'ada@example.test',
      emailVerified: true,
      pictureUrl: 'https://gitlab.com/a.png',
      locale: '',
    },
  },
  facebook: {
    profile: {
      id: '10158',
      email: 'ada@example.test',
      picture: { data: { height: 50, is_silhouette: false, url: 'https://platform-lookaside.fbsbx.com/p' } },
    },
    expected: {
      subject: '10158',
      email: 'ada@example.test',
      emailVerified: false,
      pictureUrl: 'https://platform-lookaside.fbsbx.com/p',
      locale: '',
    },
  },
  discord: {
    profile: {
      id: '80351110224678912',
      username: 'Nelly',
      avatar: '8342729096ea3675442027381ff50dfe',
      verified: true,
      email: 'nelly@example.test',
      locale: 'en-US',
    },
    expected: {
      subject: '80351110224678912',
      email: 'nelly@example.test',
      emailVerified: true,
      pictureUrl: 'https://cdn.discordapp.com/avatars/80351110224678912/8342729096ea3675442027381ff50dfe.png',
      locale: 'en-US',
    },
  },
  salesforce: {
    profile: {
      sub: 'https://login.salesforce.com/id/00Dxx/005xx',
      email: 'ada@example.test',
      email_verified: true,
      picture: 'https://c.salesforce.com/p',
      locale: 'en_US',
    },
    expected: {
      subject: 'https://login.salesforce.com/id/00Dxx/005xx',
      email: 'ada@example.test',
      emailVerified: true,
      pictureUrl: 'https://c.salesforce.com/p',
      locale: 'en_US',
    },
  },
  slack: {
    token: { ok: true },
    profile: {
      ok: true,
      sub: 'U0R7JM',
      'https://slack.com/user_id': 'U0R7JM',
      'https://slack.com/team_id': 'T0R7GR',
      email: 'krane@example.test',
      email_verified: true,
      picture: 'https://secure.gravatar.com/a.png',
      locale: 'en-US',
    },
    expected: {
      subject: 'T0R7GR.U0R7JM',
      email: 'krane@example.test',
      emailVerified: true,
      pictureUrl: 'https://secure.gravatar.com/a.png',
      locale: 'en-US',
    },
  },
  amazon: {
    profile: {
      user_id: 'amzn1.account.K2LI23KL2LK2',
      email: 'mhashimoto-04@example.test',
      name: 'Mork Hashimoto',
    },
    expected: {
      subject: 'amzn1.account.K2LI23KL2LK2',
      email: 'mhashimoto-04@example.test',
      emailVerified: false,
      pictureUrl: '',
      locale: '',
    },
  },
  bitbucket: {
    profile: {
      uuid: '{a-uuid}',
      account_id: '557058',
      links: { avatar: { href: 'https://bitbucket.org/a.png' } },
    },
    emails: { values: [{ email: 'ada@example.test', is_primary: true, is_confirmed: true, type: 'email' }] },
    expected: {
      subject: '{a-uuid}',
      email: 'ada@example.test',
      emailVerified: true,
      pictureUrl: 'https://bitbucket.org/a.png',
      locale: '',
    },
  },
  linkedin: {
    // LinkedIn's answers can lack the token's type.
    token: { token_type: undefined },
    profile: {
      sub: '782bbtaQ',
      picture: 'https://media.licdn-ei.com/dms/image/p',
      locale: { country: 'US', language: 'en' },
      email: 'doe@example.test',
      email_verified: true,
    },
    expected: {
      subject: '782bbtaQ',
      email: 'doe@example.test',
      emailVerified: true,
      pictureUrl: 'https://media.licdn-ei.com/dms/image/p',
      locale: 'en',
    },
  },
  coinbase: {
    profile: {
      data: { id: '9da7a204', email: 'ada@example.test', avatar_url: 'https://images.coinbase.com/a' },
    },
    expected: {
      subject: '9da7a204',
      email: 'ada@example.test',
      emailVerified: false,
      pictureUrl: 'https://images.coinbase.com/a',
      locale: '',
    },
  },
  twitch: {
    token: { scope: ['user:read:email'] },
    profile: {
      data: [
        {
          id: '141981764',
          login: 'twitchdev',
          profile_image_url: 'https://static-cdn.jtvnw.net/p.png',
          email: 'not-real@example.test',
        },
      ],
    },
    expected: {
      subject: '141981764',
      email: 'not-real@example.test',
      emailVerified: true,
      pictureUrl: 'https://static-cdn.jtvnw.net/p.png',
      locale: '',
    },
  },
  twitter: {
    profile: {
      data: { id: '2244994945', username: 'XDevelopers', profile_image_url: 'https://pbs.twimg.com/p.jpg' },
    },
    expected: {
      subject: '2244994945',
      email: null,
      emailVerified: false,
      pictureUrl: 'https://pbs.twimg.com/p.jpg',
      locale: '',
    },
  },
  tiktok: {
    profile: {
      data: {
        user: {
          open_id: '723f24d7-e717-40f8-a2b6-cb8464cd23b4',
          avatar_url: 'https://p19-sign.tiktokcdn-us.com/a',
        },
      },
      error: { code: 'ok', message: '' },
    },
    expected: {
      subject: '723f24d7-e717-40f8-a2b6-cb8464cd23b4',
      email: null,
      emailVerified: false,
      pictureUrl: 'https://p19-sign.tiktokcdn-us.com/a',
      locale: '',
    },
  },
  snapchat: {
    profile: {
      data: {
        me: {
          externalId: 'CAESIPiRBp0e5gLDq7VVurQ3rVdmdbqxpOJWynjyBL',
          bitmoji: { avatar: 'https://sdk.bitmoji.com/a' },
        },
      },
      errors: [],
    },
    expected: {
      subject: 'CAESIPiRBp0e5gLDq7VVurQ3rVdmdbqxpOJWynjyBL',
      email: null,
      emailVerified: false,
      pictureUrl: 'https://sdk.bitmoji.com/a',
      locale: '',
    },
  },
  figma: {
    profile: {
      id: '123',
      handle: 'ada',
      email: 'ada@example.test',
      img_url: 'https://s3-alpha.figma.com/profile/a',
    },
    expected: {
      subject: '123',
      email: 'ada@example.test',
      emailVerified: false,
      pictureUrl: 'https://s3-alpha.figma.com/profile/a',
      locale: '',
    },
  },
  yahoo: {
    profile: {
      sub: 'JKTB6PVOSXZHX7E4I5',
      email: 'yui@example.test',
      email_verified: true,
      picture: 'https://s.yimg.com/p.png',
      locale: 'en-US',
    },
    expected: {
      subject: 'JKTB6PVOSXZHX7E4I5',
      email: 'yui@example.test',
      emailVerified: true,
      pictureUrl: 'https://s.yimg.com/p.png',
      locale: 'en-US',
    },
  },
}

const issuerKeys = await generateKeyPair('RS256')
const secret = 'a-secret_with.signs~'

for (const name of providerNames) {
  test(`${name}: reads a profile from the documented exchange`, async t => {
    const { exchange, client, requests } = await startProvider(t, name, examples[name])
    assert.deepEqual(await exchange(), examples[name].expected)

    const { form, headers } = requests.token!
    const inForm = { id: form[client.clientIdName ?? 'client_id'], secret: form.client_secret }
    if (client.clientAuth === 'basic') {
      const shown = Buffer.from(headers.authorization!.replace('Basic ', ''), 'base64').toString()
      assert.equal(shown, `client-1:${secret}`)
      assert.deepEqual(inForm, { id: undefined, secret: undefined })
    } else if (client.clientAuth === undefined) {
      assert.deepEqual(inForm, { id: 'client-1', secret })
      assert.equal(headers.authorization, undefined)
    }
    assert.equal(form.grant_type, 'authorization_code')
    assert.equal(form.code, 'a-code')
    assert.equal(form.redirect_uri, 'https://lapwing.test/callback')
    assert.equal(form.code_verifier, client.pkce ? 'v'.repeat(43) : undefined)
    if (client.profileUrl !== null)
      assert.equal(requests.profile!.headers.authorization, 'Bearer an-access-token')
    if (client.profileClientHeader !== undefined) {
      assert.equal(requests.profile!.headers[client.profileClientHeader], 'client-1')
    }
  })
}

test('apple: sends a secret that is a JWT of five minutes, signed with the team’s key', async t => {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
  const { exchange, requests } = await startProvider(t, 'apple', examples.apple, {
    clientSecret: await exportPKCS8(privateKey),
  })
  await exchange()
  const { payload, protectedHeader } = await jwtVerify(requests.token!.form.client_secret!, publicKey, {
    issuer: 'TEAM123456',
    audience: 'https://appleid.apple.com',
    subject: 'client-1',
  })
  assert.deepEqual(protectedHeader, { alg: 'ES256', kid: 'KEY1234567' })
  assert.equal(payload.exp! - payload.iat!, 300)
})

for (const [name, idToken] of Object.entries({
  'another tenant than its issuer': { tid: '00000000-0000-0000-0000-000000000000' },
  'an issuer elsewhere': { iss: 'https://evil.example/9122040d-6c67-4c5b-b112-36a304b66dad/v2.0' },
  'no tenant': { tid: undefined },
  'an invalid tenant': { tid: '../../evil' },
})) {
  test(`microsoft: rejects an ID token of ${name}`, async t => {
    const example = { ...examples.microsoft, idToken: { ...examples.microsoft.idToken, ...idToken } }
    const { exchange } = await startProvider(t, 'microsoft', example)
    await assert.rejects(exchange())
  })
}

test('microsoft: confirms an address if the tenant owns its domain', async t => {
  const idToken = { ...examples.microsoft.idToken, xms_edov: '1' }
  const { exchange } = await startProvider(t, 'microsoft', { ...examples.microsoft, idToken })
  assert.equal((await exchange()).emailVerified, true)
})

for (const [name, emails] of Object.entries({
  'not confirmed': [{ email: 'ada@example.test', verified: false, primary: true }],
  'not the primary one': [{ email: 'ada@example.test', verified: true, primary: false }],
  missing: [],
})) {
  test(`github: does not confirm an address that is ${name}`, async t => {
    const { exchange } = await startProvider(t, 'github', { ...examples.github, emails })
    assert.equal((await exchange()).emailVerified, false)
  })
}

for (const name of ['google', 'discord', 'gitlab', 'slack', 'yahoo'] as const) {
  for (const verified of [false, 'false', null, undefined, 0, {}, 'yes']) {
    test(`${name}: does not confirm an address by ${JSON.stringify(verified)}`, async t => {
      const claim = String((providers[name] as Provider).claims.verified)
      const profile = { ...(examples[name].profile as object), [claim]: verified }
      const { exchange } = await startProvider(t, name, { ...examples[name], profile })
      assert.equal((await exchange()).emailVerified, false)
    })
  }
}

test('drops a picture without an https address', async t => {
  for (const picture of ['javascript:alert(1)', 'http://a.test/p.png', 'data:image/png;base64,x', 7, null]) {
    const profile = { ...(examples.yahoo.profile as object), picture }
    const { exchange } = await startProvider(t, 'yahoo', { ...examples.yahoo, profile })
    assert.equal((await exchange()).pictureUrl, '', String(picture))
  }
})

interface RecordedRequest {
  readonly headers: IncomingHttpHeaders
  readonly form: Readonly<Record<string, string | undefined>>
}

/** Starts a server that sends the example's answers, and returns an exchange with it. */
async function startProvider(
  t: TestContext,
  name: ProviderName,
  example: Example,
  changes: Partial<OAuthClient> = {},
) {
  const requests: Record<string, RecordedRequest> = {}
  const nonce = 'a nonce'
  const now = Math.floor(Date.now() / 1000)
  const idToken = (claims: object) =>
    new SignJWT({ aud: 'client-1', nonce, iat: now, exp: now + 60, ...claims })
      .setProtectedHeader({ alg: 'RS256' })
      .sign(issuerKeys.privateKey)
  const answers: Record<string, unknown> = {
    token: {
      access_token: 'an-access-token',
      token_type: 'Bearer',
      ...(example.idToken && { id_token: await idToken(example.idToken) }),
      ...example.token,
    },
    profile: example.profile,
    emails: example.emails,
    keys: { keys: [await exportJWK(issuerKeys.publicKey)] },
  }
  const server = createServer(async (request, response) => {
    const path = request.url!.slice(1)
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const form = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()))
    requests[path] = { headers: request.headers, form }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answers[path]))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const row: Provider = providers[name]
  const isApple = name === 'apple'
  const client: OAuthClient = {
    ...row,
    name,
    clientId: 'client-1',
    clientSecret: isApple
      ? await exportPKCS8((await generateKeyPair('ES256', { extractable: true })).privateKey)
      : secret,
    apple: isApple ? { teamId: 'TEAM123456', keyId: 'KEY1234567' } : null,
    tokenUrl: `${url}/token`,
    profileUrl: row.profileUrl === null ? null : `${url}/profile`,
    ...(row.keysUrl && { keysUrl: `${url}/keys` }),
    ...(row.emails && { emails: { ...row.emails, url: `${url}/emails` } }),
    ...changes,
  }
  const exchangeCode = createExchangeCode({ timeoutMs: 5_000, now: () => new Date() })
  return {
    client,
    requests,
    exchange: () =>
      exchangeCode(client, {
        code: 'a-code',
        redirectUri: 'https://lapwing.test/callback',
        flow: {
          state: 'a state',
          nonce,
          codeVerifier: 'v'.repeat(43),
          loginRedirect: 'https://lapwing.test/',
          signupRedirect: 'https://lapwing.test/',
          codeChallenge: 'c'.repeat(43),
          endsAt: 0,
        },
      }),
  }
}
