import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type Event, INITIAL, reduce, type State } from './machine.ts'
import { EVENT_TYPES, type EventType, SCREENS, type Screen, TRANSITIONS } from './transitions.ts'

const otp = { type: 'email', methodId: 'email-1', destination: 'ada@lapwing.test', expiresAtMs: 5 } as const
const app = {
  secret: 'GEZDGNBVGY3TQOJQ',
  qrCode: 'data:image/png;base64,',
  recoveryCodes: ['abcd-efgh-ijkl'],
}

/** Returns an event of the type with everything that it brings. */
function eventOf(type: EventType): Event {
  const all = {
    type,
    otp,
    app,
    factor: 'app',
    email: 'ada@lapwing.test',
    userType: 'password',
    token: 'a token',
    wallet: 'Phantom',
    address: '0xa',
    challenge: 'Sign this',
    passkeyId: 'webauthn-registration-1',
    organization: { id: 'organization-1', name: 'A club', methods: ['sso'], connections: [] },
    organizations: [],
    logout: { address: 'https://app.test/bye', place: 'app.test' },
    consent: { appName: 'An app', appDescription: '', scopes: [], canChange: false, email: '', place: '' },
    problem: { type: 'invalid_email', message: 'no' },
  }
  return all as unknown as Event
}

const at = (screen: Screen, more: Partial<State> = {}): State => ({ ...INITIAL, ...more, screen })

describe('the table of screens', () => {
  for (const screen of SCREENS) {
    for (const type of EVENT_TYPES) {
      const next = TRANSITIONS[screen][type]
      if (next === undefined) continue
      test(`${screen}: ${type} shows ${next}`, () => {
        const state = reduce(
          at(screen, { isPending: true, error: { type: '', message: 'old' } }),
          eventOf(type),
        )
        assert.equal(state.screen, next)
        assert.equal(state.isPending, type === 'submitted')
        assert.deepEqual(state.error, type === 'failed' ? { type: 'invalid_email', message: 'no' } : null)
      })
    }
  }

  test('ignores every event that a screen does not list', () => {
    for (const screen of SCREENS) {
      for (const type of EVENT_TYPES) {
        const state = at(screen)
        if (TRANSITIONS[screen][type] === undefined) assert.equal(reduce(state, eventOf(type)), state)
      }
    }
  })

  test('reaches every screen from Main', () => {
    const reached = new Set<Screen>(['Main'])
    for (const screen of reached) for (const next of Object.values(TRANSITIONS[screen])) reached.add(next)
    assert.deepEqual([...reached].toSorted(), [...SCREENS].toSorted())
  })

  test('uses every event', () => {
    const used = new Set(SCREENS.flatMap(screen => Object.keys(TRANSITIONS[screen])))
    assert.deepEqual([...used].toSorted(), [...EVENT_TYPES].toSorted())
  })
})

test('10,000 random sequences stay in the table, show one screen, and can always go back to Main', () => {
  const known: ReadonlySet<string> = new Set(SCREENS)
  const sequence = fc.array(fc.constantFrom(...EVENT_TYPES), { maxLength: 40 })
  fc.assert(
    fc.property(sequence, types => {
      let state = INITIAL
      for (const type of types) {
        const next = reduce(state, eventOf(type))
        assert.ok(known.has(next.screen))
        assert.equal(next.screen, TRANSITIONS[state.screen][type] ?? state.screen)
        state = next
      }
      const main = reduce(state, { type: 'back' })
      assert.equal(main.screen, 'Main')
      assert.deepEqual(main, { ...INITIAL, email: state.email })
    }),
    { numRuns: 10_000 },
  )
})

describe('what the state stores', () => {
  test('begins as the specification says', () => {
    assert.equal(INITIAL.otp.type, 'email')
    assert.equal(INITIAL.crypto.wallet, 'Metamask')
    assert.equal(INITIAL.password.type, 'new')
    assert.equal(INITIAL.error, null)
    assert.equal(INITIAL.isPending, false)
  })

  test('a sent code stores its destination, and an e-mail code its address', () => {
    const mailed = reduce(INITIAL, { type: 'otpSent', otp })
    assert.deepEqual(mailed.otp, otp)
    assert.equal(mailed.email, 'ada@lapwing.test')
    const texted = reduce(INITIAL, {
      type: 'otpSent',
      otp: { ...otp, type: 'sms', destination: '+12025550143' },
    })
    assert.equal(texted.otp.destination, '+12025550143')
    assert.equal(texted.email, '')
  })

  test('a user search stores address and type', () => {
    const state = reduce(INITIAL, { type: 'userFound', email: 'ada@lapwing.test', userType: 'password' })
    assert.deepEqual(state.password, { email: 'ada@lapwing.test', type: 'password' })
  })

  test('a link sent after a search stores what the search found', () => {
    const state = reduce(INITIAL, { type: 'linkSent', email: 'ada@lapwing.test', userType: 'passwordless' })
    assert.deepEqual(state.password, { email: 'ada@lapwing.test', type: 'passwordless' })
  })

  test('a chosen wallet forgets the address and text of the one before', () => {
    const before = at('CryptoError', { crypto: { address: '0xa', wallet: 'Metamask', challenge: 'text' } })
    assert.deepEqual(reduce(before, { type: 'walletChosen', wallet: 'Phantom' }).crypto, {
      address: '',
      wallet: 'Phantom',
      challenge: '',
    })
  })

  test('saved recovery codes, a sign-out and the way back leave no secret', () => {
    const secret = { totp: app, resetToken: 'a token', email: 'ada@lapwing.test' }
    for (const [type, screen] of Object.entries(TRANSITIONS.RecoveryCodeSave)) {
      const { totp } = reduce(at('RecoveryCodeSave', secret), eventOf(type as EventType))
      assert.equal(totp, screen === 'RecoveryCodeSave' ? app : null, type)
    }
    assert.equal(reduce(at('TOTPEnrollmentQRCode', secret), { type: 'skipped' }).totp, null)
    assert.deepEqual(reduce(at('LoggedIn', secret), { type: 'signedOut' }), INITIAL)
    assert.deepEqual(reduce(at('Error', secret), { type: 'back' }), { ...INITIAL, email: 'ada@lapwing.test' })
  })
})
