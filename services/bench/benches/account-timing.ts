import { createPasswordHasher } from '@lapwing/identity/password-hasher'
import { goodPassword, type Harness, harness } from '@lapwing/identity/test/harness'
import { newWallet } from '@lapwing/identity/test/wallets'
import type { Bench, BenchContext, Line } from '../bench.ts'
import { median } from '../rounds.ts'

/** Measures whether the time of an answer reveals which address has an account. */
export const accountTimingBench: Bench = {
  name: 'account-timing',
  how:
    'Medians of 200 requests per round and kind, the kinds in turn, sent to identity without a network, with a real ' +
    'Postgres. The hash is the cheapest that OWASP allows, so a difference weighs more than in production. The ratio ' +
    'is of the longer to the shorter median.',
  async run(context) {
    const hasher = await createPasswordHasher({
      memoryKib: 19_456,
      passes: 2,
      concurrency: 1,
      maxWaitMs: 60_000,
    })
    const service = await harness({ hasher }, { TEXTS_PER_NUMBER_PER_DAY: '10000', TEXTS_PER_DAY: '1000000' })
    try {
      const known = await service.signUp('known@example.com')
      const locked = await service.signUp('locked@example.com')
      const social = await service.signUp('social@example.com')
      const { db } = service
      await db
        .updateTable('person')
        .set({ locked_at: service.now() })
        .where('user_id', '=', locked.userId)
        .execute()
      await db.deleteFrom('password').where('user_id', '=', social.userId).execute()
      await db
        .insertInto('phone_number')
        .values(
          [known, locked].map(({ userId }, index) => ({
            phone_id: `phone-${index}`,
            user_id: userId,
            number: `+1201555010${index}`,
            created_at: service.now(),
          })),
        )
        .execute()
      const wallets = [0, 1, 2].map(() => newWallet('solana').address)
      await db
        .insertInto('crypto_wallet')
        .values(
          [known, locked].map(({ userId }, index) => ({
            crypto_wallet_id: `wallet-${index}`,
            user_id: userId,
            wallet_type: 'solana',
            address: wallets[index]!,
            created_at: service.now(),
          })),
        )
        .execute()
      return [
        ...(await compare(context, service, 'sign-in', signIn, {
          'a known address': ['known@example.com', 'wrong password'],
          'an unknown one': ['nobody@example.com', 'wrong password'],
          'a locked person': ['locked@example.com', goodPassword],
          'one without a password': ['social@example.com', goodPassword],
          'an empty password': ['known@example.com', ''],
          'an endless password': ['known@example.com', 'x'.repeat(1_025)],
        })),
        ...(await compare(context, service, 'sign-up with a taken address', signUp, {
          'a known address': ['known@example.com', goodPassword],
          'a locked person': ['locked@example.com', goodPassword],
          'one without a password': ['social@example.com', goodPassword],
        })),
        ...(await compare(context, service, 'reset asked for', startReset, {
          'a known address': ['known@example.com'],
          'an unknown one': ['nobody@example.com'],
          'a locked person': ['locked@example.com'],
          'one without a password': ['social@example.com'],
        })),
        ...(await compare(context, service, 'link asked for', sendLink, {
          'a known address': ['known@example.com'],
          'an unknown one': ['nobody@example.com'],
          'a locked person': ['locked@example.com'],
          'one without a password': ['social@example.com'],
        })),
        ...(await compare(context, service, 'code by text asked for', sendText, {
          'a known number': ['+12015550100'],
          'an unknown one': ['+12015550109'],
          'the number of a locked person': ['+12015550101'],
        })),
        ...(await compare(context, service, 'text for a wallet asked for', startWallet, {
          'a known wallet': [wallets[0]!],
          'an unknown one': [wallets[2]!],
          'the wallet of a locked person': [wallets[1]!],
        })),
      ]
    } finally {
      await service.close()
    }
  },
}

const samplesPerRound = 200

type Ask = (service: Harness, email: string, password?: string) => Promise<{ readonly status: number }>

const signIn: Ask = (service, email, password) =>
  service.call('authenticatePassword', '/sdk/v1/passwords/authenticate', { body: { email, password } })
const signUp: Ask = (service, email, password) =>
  service.call('createPassword', '/sdk/v1/passwords', { body: { email, password } })
const startReset: Ask = (service, email) =>
  service.call('startPasswordReset', '/sdk/v1/passwords/email/reset/start', { body: { email } })
const sendLink: Ask = (service, email) =>
  service.call('sendMagicLinkOrCreate', '/sdk/v1/magic_links/email/login_or_create', { body: { email } })

const sendText: Ask = (service, number) =>
  service.call('sendSmsCode', '/sdk/v1/otps/sms/send/primary', { body: { phone_number: number } })

const startWallet: Ask = (service, address) =>
  service.call('startWallet', '/sdk/v1/crypto_wallets/authenticate/start/primary', {
    body: { crypto_wallet_type: 'solana', crypto_wallet_address: address },
  })

/** Compares every kind with the first one. */
async function compare(
  context: BenchContext,
  service: Harness,
  what: string,
  ask: Ask,
  kinds: Readonly<Record<string, readonly [string, string?]>>,
): Promise<readonly Line[]> {
  const names = Object.keys(kinds)
  const times = new Map(names.map(name => [name, [] as number[]]))
  const count = context.rounds * samplesPerRound
  context.log(`account-timing: ${what}, ${count} of each of ${names.length} kinds`)
  for (let sample = -names.length; sample < count; sample++) {
    // A new minute for each sample, so that no limit is reached and every mail is the first.
    service.advance(61_000)
    // Each kind is equally often first, second …: the previous answer influences the next one's time.
    const turn = (sample + names.length) % names.length
    const order = [...names.slice(turn), ...names.slice(0, turn)]
    for (const name of sample % 2 === 0 ? order : order.toReversed()) {
      const begin = performance.now()
      await ask(service, ...kinds[name]!)
      if (sample >= 0) times.get(name)!.push(performance.now() - begin)
    }
  }
  const [first, ...others] = names as [string, ...string[]]
  const peer = median(times.get(first)!)
  return others.map(name => {
    const ours = median(times.get(name)!)
    return {
      name: `${what}, ${name}`,
      unit: 'ms',
      ours,
      peerName: first,
      peer,
      ratio: Math.max(ours, peer) / Math.min(ours, peer),
      atMost: 1.02,
    }
  })
}
