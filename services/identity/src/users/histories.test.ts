import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type RunningProviders, startProviders } from '@lapwing/dev-servers/providers'
import { sql } from 'kysely'
import { hashSecret } from '../crypto/secrets.ts'
import { mailLabel, type OutgoingMail } from '../mail/mail-outbox.ts'
import { findSession } from '../sessions/session.repository.ts'
import { Authenticator } from '../test/authenticator.ts'
import { Browser, codeVerifier } from '../test/browser.ts'
import { type Club, createClub, errorOf } from '../test/club.ts'
import { type Harness, harness, linkIn, origin } from '../test/harness.ts'
import { newWallet, type TestWallet } from '../test/wallets.ts'
import { waysIn } from '../test/ways-in.ts'
import { type OutgoingText, textLabel } from '../texts/text-outbox.ts'

/** Each service has a clock of its own and runs its histories one after another. */
let services: readonly Harness[] = []
let providers: RunningProviders
/** The organization of each service, which claims the domain of most mailboxes. */
let clubs: readonly Club[] = []

before(async () => {
  providers = await startProviders({ redirectOrigins: [origin] })
  const env = { ...providers.env, NEW_ACCOUNTS_PER_HOUR: '100000', TEXTS_PER_DAY: '1000000' }
  const one = () => harness({}, env)
  services = await Promise.all([one(), one(), one(), one()])
  clubs = await Promise.all(services.map(service => createClub(service, { domains: ['example.com'] })))
})

after(async () => {
  await Promise.all([...services, ...clubs.map(({ issuer }) => issuer)].map(part => part.close()))
  await providers.close()
})

/** HISTORIES=10000 plays more histories. */
const HISTORIES = Number(process.env.HISTORIES ?? 200)
const STEPS = 8

/** Creates a seeded random generator (mulberry32), so that a failed history can be repeated. */
function randomOf(seed: number) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return { pick: <Item>(items: readonly Item[]): Item => items[Math.floor(next() * items.length)]! }
}

interface Person {
  readonly name: string
  /** Mailboxes that only this person reads. */
  readonly mailboxes: readonly string[]
  /** Numbers of phones that only this person reads. */
  readonly phones: readonly string[]
  /** Wallets whose keys only this person has. */
  readonly wallets: readonly TestWallet[]
  /** Session token of each browser; undefined without one. */
  readonly browsers: (string | undefined)[]
}

const SEND_CALLS = {
  codeOrCreate: ['sendEmailCodeOrCreate', '/sdk/v1/otps/email/login_or_create'],
  code: ['sendEmailCode', '/sdk/v1/otps/email/send/primary'],
  codeInSession: ['sendEmailCodeInSession', '/sdk/v1/otps/email/send/secondary'],
  linkOrCreate: ['sendMagicLinkOrCreate', '/sdk/v1/magic_links/email/login_or_create'],
  link: ['sendMagicLink', '/sdk/v1/magic_links/email/send/primary'],
  linkInSession: ['sendMagicLinkInSession', '/sdk/v1/magic_links/email/send/secondary'],
  textOrCreate: ['sendSmsCodeOrCreate', '/sdk/v1/otps/sms/login_or_create'],
  text: ['sendSmsCode', '/sdk/v1/otps/sms/send/primary'],
  textInSession: ['sendSmsCodeInSession', '/sdk/v1/otps/sms/send/secondary'],
} as const

/** A text that a person's wallet was asked to sign, and the browser that asked. */
interface WalletRequest {
  readonly wallet: TestWallet
  readonly text: string
  readonly ip: string
}

/** A passkey on a person's own device. */
interface OwnPasskey {
  readonly person: Person
  readonly authenticator: Authenticator
}

/** Every address, number, wallet and account of a provider with its account. */
const ways = sql<{ user_id: string; box: string }>`(
  select user_id, address as box from email union all select user_id, number as box from phone_number
  union all select user_id, address as box from crypto_wallet
  union all select user_id, provider_subject as box from oauth_registration)`.as<'ways'>('ways')

/** What the histories must try. Each history begins with one kind, so that no kind depends on luck. */
const KINDS = ['passkey', 'phone', 'wallet', 'social', 'attached', 'organization', 'address'] as const
type Kind = (typeof KINDS)[number]

/** How many sign-ins or additions of each kind succeeded. `signIn` counts all. */
type Counts = Record<Kind | 'signIn', number>

const newCounts = (): Counts => ({
  signIn: 0,
  passkey: 0,
  phone: 0,
  wallet: 0,
  social: 0,
  attached: 0,
  organization: 0,
  address: 0,
})

/** Runs one history: three people make calls in random order, with a check after each step. */
async function runHistory(service: Harness, club: Club, seed: number): Promise<Counts> {
  const random = randomOf(seed)
  const people: readonly Person[] = ['ada', 'ben', 'cleo'].map((name, index) => ({
    name,
    mailboxes: [
      `${name}.${seed}@example.com`,
      `${name}.second.${seed}@example.com`,
      `${name}.${seed}@private.example`,
    ],
    phones: [0, 1].map(which => `+49151${50_000_000 + seed * 10 + index * 2 + which}`),
    wallets: [newWallet('ethereum'), newWallet('solana')],
    browsers: [undefined, undefined],
  }))
  const ownerOf = new Map(
    people.flatMap(({ name, mailboxes, phones, wallets }) =>
      [...mailboxes, ...phones, ...wallets.map(({ address }) => address)].map(box => [box, name] as const),
    ),
  )
  const boxesOf = ({ mailboxes, phones }: Person) => [...mailboxes, ...phones]
  const methodIds: string[] = ['email-live-unknown']
  const links: { readonly to: string; readonly token: string; readonly kind: string }[] = []
  const codes: { readonly to: string; readonly code: string; readonly methodId: string }[] = []
  const used = new Set<object>()
  /** Options for a new passkey, each requested in some session. */
  const creations: string[] = []
  const passkeys: OwnPasskey[] = []
  const walletRequests: WalletRequest[] = []
  const counts = newCounts()

  async function readTexts(to: string, methodId: string) {
    const rows = await service.db.deleteFrom('text_outbox').returning(['text_id', 'content_sealed']).execute()
    for (const { text_id, content_sealed } of rows) {
      const text = JSON.parse(service.deps.cipher.open(content_sealed!, textLabel(text_id))) as OutgoingText
      assert.equal(text.to, to)
      if (text.code !== null) codes.push({ to, code: text.code, methodId })
    }
  }

  async function readMails(to: string, methodId: string) {
    // Each mail is read once.
    const rows = await service.db
      .deleteFrom('mail_outbox')
      .returning(['mail_id', 'kind', 'content_sealed'])
      .execute()
    for (const { mail_id, kind, content_sealed } of rows) {
      const mail = JSON.parse(service.deps.cipher.open(content_sealed!, mailLabel(mail_id))) as OutgoingMail
      // It only notifies, and was sent before.
      if (/_(added|removed)$/.test(kind)) continue
      assert.equal(mail.to, to)
      const code = /\b\d{6}\b/.exec(mail.text)?.[0]
      if (code !== undefined && kind.endsWith('code')) codes.push({ to, code, methodId })
      const token = mail.text.includes('token=') ? linkIn(mail).searchParams.get('token') : null
      if (token !== null) links.push({ to, token, kind })
    }
  }

  async function send(person: Person, browser: number) {
    const what = random.pick(Object.keys(SEND_CALLS) as (keyof typeof SEND_CALLS)[])
    await sendOne(person, browser, what, randomBox(person, what))
  }

  /** Returns a mailbox or a phone, mostly the person's own. */
  function randomBox(person: Person, what: keyof typeof SEND_CALLS): string {
    const boxes = (one: Person) => (what.startsWith('text') ? one.phones : one.mailboxes)
    return random.pick([...boxes(person), ...boxes(person), ...people.flatMap(boxes)])
  }

  /** A person requests a mail or a text, and its reader uses it in one of their browsers. */
  async function exchange(person: Person, browser: number) {
    const what = random.pick(Object.keys(SEND_CALLS) as (keyof typeof SEND_CALLS)[])
    const to = randomBox(person, what)
    await sendOne(person, browser, what, to)
    const reader = people.find(one => boxesOf(one).includes(to))!
    await (what.startsWith('link') ? openLink : typeCode)(reader, random.pick([0, browser]))
  }

  async function sendOne(person: Person, browser: number, what: keyof typeof SEND_CALLS, to: string) {
    const [operationId, url] = SEND_CALLS[what]
    const answer = await service.call(operationId, url, {
      ...asBrowser(person, browser),
      body: what.startsWith('text') ? { phone_number: to } : { email: to },
    })
    if (answer.data?.method_id !== undefined) methodIds.push(answer.data.method_id)
    await readMails(to, answer.data?.method_id ?? '')
    await readTexts(to, answer.data?.method_id ?? '')
  }

  /** Types a code from the person's mailboxes or phones, with a method id of any of the three people. */
  async function typeCode(person: Person, browser: number) {
    const own = codes.filter(({ to }) => boxesOf(person).includes(to))
    if (own.length === 0) return
    // Mostly the newest, like real people.
    const chosen = random.pick([newest(own), newest(own), random.pick(own)])
    const methodId = random.pick([chosen.methodId, chosen.methodId, random.pick(methodIds)])
    if (!(await typeOne(person, browser, chosen.code, methodId))) return
    used.add(chosen)
    if (chosen.to.startsWith('+')) counts.phone++
  }

  async function typeOne(person: Person, browser: number, code: string, methodId: string) {
    const answer = await service.call('authenticateCode', '/sdk/v1/otps/authenticate', {
      ...asBrowser(person, browser),
      body: { token: code, method_id: methodId },
    })
    return enter(person, browser, answer)
  }

  /** Opens a link from the person's mailboxes, or another person's link that adds an address. */
  async function openLink(person: Person, browser: number) {
    const own = links.filter(({ to, kind }) => person.mailboxes.includes(to) || kind === 'add_email')
    if (own.length === 0) return
    const chosen = random.pick([newest(own), newest(own), random.pick(own)])
    const { to, token, kind } = chosen
    const isTheirs = person.mailboxes.includes(to)
    // The requester could add the address with this link, because its reader passed it on.
    if (!isTheirs && kind === 'add_email' && (await requesterOf(token)) === (await userOf(person, browser)))
      return
    const answer = await service.call('authenticateMagicLink', '/sdk/v1/magic_links/authenticate', {
      ...asBrowser(person, browser),
      body: { token },
    })
    if (!isTheirs) assert.equal(answer.error, 'unable_to_auth_magic_link', `history ${seed}`)
    if (enter(person, browser, answer)) used.add(chosen)
  }

  /** Returns the newest unused one; the newest if all are used. */
  function newest<Mailed extends object>(mailed: readonly Mailed[]): Mailed {
    return mailed.findLast(one => !used.has(one)) ?? mailed.at(-1)!
  }

  async function requesterOf(token: string): Promise<string | null> {
    const row = await service.db
      .selectFrom('token')
      .select('user_id')
      .where('token_hash', '=', hashSecret(token))
      .executeTakeFirst()
    return row?.user_id ?? null
  }

  async function userOf(person: Person, browser: number): Promise<string | undefined> {
    const as = person.browsers[browser]
    return as === undefined ? undefined : userOfToken(as)
  }

  async function userOfToken(as: string): Promise<string | undefined> {
    return (await findSession(service.db, as, service.now()))?.userId
  }

  function enter(person: Person, browser: number, answer: Awaited<ReturnType<Harness['call']>>): boolean {
    if (answer.status !== 200) return false
    counts.signIn++
    person.browsers[browser] = answer.data.session_token
    return true
  }

  /** Requests a new passkey, and finishes this or an older request in a browser of the same person. */
  async function addPasskey(person: Person, browser: number) {
    const calls = waysIn(service)
    const as = person.browsers[browser]
    if (as === undefined) return
    const started = await calls.startRegistration(as)
    if (started.status === 200) creations.push(started.data.public_key_credential_creation_options)
    const options = random.pick([creations.at(-1), creations.at(-1), random.pick([undefined, ...creations])])
    if (options === undefined) return
    const authenticator = new Authenticator()
    const finisher = random.pick([0, browser])
    const before = person.browsers[finisher]
    if (before === undefined) return
    const answer = await calls.register(before, authenticator.create(options))
    if (enter(person, finisher, answer)) passkeys.push({ person, authenticator })
  }

  /** Signs in with one of the person's passkeys, for options of anybody. */
  async function usePasskey(person: Person, browser: number) {
    const calls = waysIn(service)
    const own = passkeys.filter(passkey => passkey.person === person)
    if (own.length === 0) return
    const asker = random.pick(people).browsers[random.pick([0, 1])]
    const inSession = asker === undefined ? undefined : await calls.startPasskeyInSession(asker)
    const options = random.pick([
      await calls.challenge(),
      inSession?.data?.public_key_credential_request_options as string | undefined,
    ])
    if (options === undefined) return
    const credential = random.pick(own).authenticator.get(options)
    if (enter(person, browser, await calls.usePasskey(credential, person.browsers[browser]))) counts.passkey++
  }

  /**
   * Anybody asks for a text for a wallet, in a session or without. Its owner signs this or an older one, and
   * sends the signature from one of their browsers.
   */
  async function useWallet(person: Person, browser: number) {
    const calls = waysIn(service)
    const wallet = random.pick(person.wallets)
    const asker = random.pick([person, person, random.pick(people)])
    const as = asker.browsers[random.pick([0, browser])]
    // All browsers of one person are in one network, which is sometimes another person's, too.
    const ip = `192.0.2.${random.pick([people.indexOf(asker), people.indexOf(asker), 9])}`
    const started =
      as === undefined || random.pick([true, false])
        ? await calls.startWallet(wallet, {}, ip)
        : await calls.startWalletInSession(wallet, as)
    if (started.status === 200) walletRequests.push({ wallet, text: started.data.challenge, ip })
    const own = walletRequests.filter(request => person.wallets.includes(request.wallet))
    if (own.length === 0) return
    const chosen = random.pick([own.at(-1)!, own.at(-1)!, random.pick(own)])
    const signature = await chosen.wallet.sign(chosen.text)
    // Another person's signature of it opens nothing.
    const thief = random.pick(people.filter(one => one !== person))
    const stolen = await random.pick(thief.wallets).sign(chosen.text)
    const refused = await calls.useWallet(chosen.wallet, stolen, thief.browsers[0], chosen.ip)
    assert.notEqual(refused.status, 200, `history ${seed}`)
    const answer = await calls.useWallet(chosen.wallet, signature, person.browsers[browser], chosen.ip)
    if (enter(person, browser, answer)) counts.wallet++
  }

  /**
   * Anybody starts a provider's sign-in, for themselves or to add an account in their session. The person follows
   * the address in their own browser, signs in with their own account there, and their page posts the token.
   */
  async function useProvider(person: Person, browser: number) {
    const provider = random.pick(['google', 'discord'])
    const asker = random.pick([person, person, random.pick(people)])
    const as = random.pick([asker.browsers[random.pick([0, browser])], undefined])
    const kind = await followProvider(person, browser, provider, as)
    if (kind !== null) counts[kind]++
  }

  /** Returns what the person did with an account of the provider: signed in, or added it in the session `as`. */
  async function followProvider(
    person: Person,
    browser: number,
    provider: string,
    as: string | undefined,
  ): Promise<'social' | 'attached' | null> {
    const attach = as === undefined ? undefined : await waysIn(service).attach(as, provider)
    const isAttaching = attach?.status === 200
    const jar = new Browser(service)
    const { location } = await jar.start(
      provider,
      isAttaching ? { oauth_attach_token: attach.data.oauth_attach_token } : {},
    )
    const email = random.pick([`${person.name}.social.${seed}@example.com`, person.mailboxes[0]!])
    ownerOf.set(email, person.name)
    const landing = await jar.comeBack(await jar.signIn(location!, { email }))
    const token = landing.location!.searchParams.get('token')
    if (token === null) return null
    const { data } = await service.db
      .selectFrom('token')
      .select('data')
      .where('token_hash', '=', hashSecret(token))
      .executeTakeFirstOrThrow()
    ownerOf.set((data.profile as { subject: string }).subject, person.name)
    const isOwn = isAttaching && (await userOf(person, browser)) === (await userOfToken(as!))
    const answer = await service.call('authenticateOAuth', '/sdk/v1/oauth/authenticate', {
      ...asBrowser(person, browser),
      body: { token, code_verifier: codeVerifier },
    })
    if (isAttaching && !isOwn) assert.equal(answer.error, 'oauth_token_not_found', `history ${seed}`)
    if (!enter(person, browser, answer)) return null
    return isAttaching ? 'attached' : 'social'
  }

  /**
   * A person signs in at their organization, which confirms one of their addresses. Now and then its administrator
   * says that they have another person's address outside its domains.
   */
  async function useOrganization(person: Person, browser: number) {
    const victim = random.pick(people.filter(one => one !== person))
    const email = random.pick([person.mailboxes[0]!, person.mailboxes[1]!, victim.mailboxes[2]!])
    if (await followOrganization(person, browser, email)) counts.organization++
  }

  /** Returns whether the organization's sign-in opened an account. */
  async function followOrganization(person: Person, browser: number, email: string): Promise<boolean> {
    const sub = `${person.name}.sub.${seed}`
    ownerOf.set(sub, person.name)
    const landing = await club.roundTrip({ sub, email, email_verified: true })
    if (!email.endsWith('@example.com')) {
      assert.equal(errorOf(landing), 'sso_email_not_of_organization', `history ${seed}`)
    }
    // The address can belong to an account that never proved it, or the account can have lost its address.
    if (landing.location!.searchParams.get('token') === null) return false
    return enter(person, browser, await club.authenticate(landing, person.browsers[browser]))
  }

  async function signOut(person: Person, browser: number) {
    if (person.browsers[browser] === undefined) return
    await service.call('revokeSession', '/sdk/v1/sessions/revoke', asBrowser(person, browser))
    person.browsers[browser] = undefined
  }

  /** Checks that nobody has another person's session, address, number, wallet or account of a provider. */
  async function check(step: number) {
    const sessionTokens = people.flatMap(({ name, browsers }) =>
      browsers.flatMap(token =>
        token === undefined ? [] : [[hashSecret(token).toString('hex'), name] as const],
      ),
    )
    const shown =
      sessionTokens.length === 0
        ? []
        : await service.db
            .selectFrom('session')
            .innerJoin(ways, 'ways.user_id', 'session.user_id')
            .select(['token_hash', 'ways.box'])
            .where(
              'token_hash',
              'in',
              sessionTokens.map(([hash]) => Buffer.from(hash, 'hex')),
            )
            .execute()
    const nameOf = new Map(sessionTokens)
    for (const { token_hash, box } of shown) {
      const name = nameOf.get(token_hash.toString('hex'))
      assert.equal(ownerOf.get(box), name, `history ${seed}, step ${step}: ${name} holds ${box}`)
    }
    const rows = await service.db
      .selectFrom(ways)
      .select(['ways.user_id', 'ways.box'])
      .where('ways.box', 'in', [...ownerOf.keys()])
      .execute()
    const ownersByUser = new Map<string, Set<string>>()
    for (const { user_id, box } of rows) {
      ownersByUser.set(user_id, (ownersByUser.get(user_id) ?? new Set()).add(ownerOf.get(box)!))
    }
    for (const [userId, names] of ownersByUser) {
      assert.equal(names.size, 1, `history ${seed}, step ${step}: ${userId} has ways of ${[...names]}`)
    }
  }

  /** Adds one kind to a new account and uses it there, which always succeeds. */
  async function begin(kind: Kind, person: Person) {
    const calls = waysIn(service)
    const as = person.browsers[0]!
    const addBox = async (what: keyof typeof SEND_CALLS, box: string) => {
      await sendOne(person, 0, what, box)
      const sent = codes.at(-1)!
      used.add(sent)
      return typeOne(person, 0, sent.code, sent.methodId)
    }
    const beginners: Readonly<Record<Kind, () => Promise<boolean>>> = {
      async passkey() {
        const { authenticator, token } = await calls.addPasskey(as)
        passkeys.push({ person, authenticator })
        const credential = authenticator.get(await calls.challenge())
        return enter(person, 0, await calls.usePasskey(credential, token))
      },
      phone: () => addBox('textInSession', person.phones[0]!),
      wallet: async () => enter(person, 0, await calls.addWallet(person.wallets[0]!, as)),
      social: async () => (await followProvider(person, 1, 'discord', undefined)) === 'social',
      attached: async () => (await followProvider(person, 0, 'google', as)) === 'attached',
      organization: () => followOrganization(person, 0, person.mailboxes[0]!),
      address: () => addBox('codeInSession', person.mailboxes[1]!),
    }
    assert.ok(await beginners[kind](), `history ${seed}: ${kind}`)
    counts[kind]++
  }

  const act = [
    exchange,
    exchange,
    exchange,
    exchange,
    send,
    typeCode,
    openLink,
    signOut,
    addPasskey,
    addPasskey,
    usePasskey,
    usePasskey,
    useWallet,
    useProvider,
    useProvider,
    useOrganization,
    useOrganization,
  ]
  // Everybody starts with an account.
  for (const person of people) {
    await sendOne(person, 0, 'codeOrCreate', person.mailboxes[0]!)
    const { code, methodId } = codes.at(-1)!
    await typeOne(person, 0, code, methodId)
    used.add(codes.at(-1)!)
  }
  await begin(KINDS[seed % KINDS.length]!, random.pick(people))
  for (let step = 0; step < STEPS; step++) {
    const person = random.pick(people)
    await random.pick(act)(person, random.pick([0, 1]))
    service.advance(random.pick([0, 1_000, 16_000, 61_000]))
    await check(step)
  }
  return counts
}

function asBrowser(person: Person, browser: number): { readonly as?: string } {
  const as = person.browsers[browser]
  return as === undefined ? {} : { as }
}

test(`gives nobody another person’s session, address, number, wallet or social account in ${HISTORIES} histories of codes, links, passkeys, signatures, providers and an organization`, async () => {
  const counts = newCounts()
  await Promise.all(
    services.map(async (service, lane) => {
      for (let seed = lane + 1; seed <= HISTORIES; seed += services.length) {
        const outcome = await runHistory(service, clubs[lane]!, seed)
        for (const kind of ['signIn', ...KINDS] as const) counts[kind] += outcome[kind]
      }
    }),
  )
  // Each history begins with four sign-ins. Without more, nothing was tried in random order.
  assert.ok(counts.signIn > 5 * HISTORIES, `${counts.signIn} sign-ins`)
  for (const kind of KINDS) {
    assert.ok(counts[kind] >= Math.floor(HISTORIES / KINDS.length), `${counts[kind]} of ${kind}`)
  }
})
