import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Deps, HandlerOf } from '../deps.ts'
import { IdentityError } from '../errors.ts'
import { answer } from '../http/answer.ts'
import type { Client } from '../http/client.ts'
import type { Requester } from '../limits/mail-limits.ts'
import { requireOwnSession } from '../sessions/require-session.ts'
import { requireAddable } from '../users/require-addable.ts'
import type { Work } from '../work.ts'
import { type Asker, clientAsker, insertChallenge, personAsker } from './challenge.repository.ts'
import { readWallet } from './read-wallet.ts'
import { requireRoomForWallet } from './wallet.repository.ts'
import { walletKey } from './wallet.ts'
import { plainMessage, readNotBefore, siweMessage } from './wallet-message.ts'

/** Minutes in which a wallet must sign. */
const CHALLENGE_MINUTES = 10

interface Intent {
  /** What the signature does; the wallet shows it. */
  readonly statement: string
  /** Returns the asker, who alone can use the challenge. */
  readonly findAsker: (work: Work, client: Client, requester: Requester) => Promise<Asker>
}

/** Returns a text that signs in with a wallet. The answer is the same for known and unknown wallets. */
export function startWallet(deps: Deps): HandlerOf<'startWallet'> {
  return start(deps, {
    statement: 'Sign in to Lapwing.',
    findAsker: async (_work, _client, requester) => clientAsker(deps.cipher, requester),
  })
}

/** Returns a text that adds a wallet to the account of the session. It counts only in a session of that person. */
export function startWalletInSession(deps: Deps): HandlerOf<'startWalletInSession'> {
  return start(deps, {
    statement: 'Add this wallet to your Lapwing account.',
    async findAsker(work, client) {
      // Every change locks the person first and the session second, so that no two deadlock.
      const { userId } = await requireOwnSession(work, client)
      await requireAddable(work, client, { key: '' })
      await requireRoomForWallet(work.trx, userId)
      return personAsker(deps.cipher, userId)
    },
  })
}

function start(deps: Deps, { statement, findAsker }: Intent): HandlerOf<'startWallet'> {
  const { settings, readClient, limits, origins, change, now } = deps
  return async request => {
    const client = readClient(request)
    const { body } = request
    const wallet = readWallet(body, settings.walletTypes)
    const params = body.siwe_params ?? {}
    if (wallet.type !== 'ethereum' && body.siwe_params !== undefined) {
      throw new IdentityError('crypto_wallet_type_incompatible_with_siwe')
    }
    const requester = await limits.countWallet(
      walletKey(wallet),
      client,
      origins.selectForWallet(client, wallet),
    )
    const at = now()
    const nonce = randomBytes(16).toString('hex')
    const expiresAt = new Date(at.getTime() + CHALLENGE_MINUTES * 60_000)
    const facts = { wallet, origin: pageOrigin(request), statement, nonce, now: at, expiresAt }
    const isSiwe = wallet.type === 'ethereum' && settings.isSiweRequired
    const message = isSiwe ? siweMessage(facts, params, settings.allowedOrigins) : plainMessage(facts)
    const validFrom = (isSiwe ? readNotBefore(params) : null) ?? at
    await change(async work => {
      const asker = await findAsker(work, client, requester)
      await insertChallenge(work, wallet, asker, { nonce, message, validFrom, expiresAt })
    })
    return answer(request, { challenge: message })
  }

  /** Returns the origin of the page that calls; Lapwing's own for other programs. Only allowed ones get here. */
  function pageOrigin({ headers }: FastifyRequest): string {
    return headers.origin ?? settings.publicOrigin.origin
  }
}
