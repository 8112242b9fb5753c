import { setImmediate } from 'node:timers/promises'
import type { Deps, HandlerOf } from '../deps.ts'
import { IdentityError } from '../errors.ts'
import type { Client } from '../http/client.ts'
import type { Requester } from '../limits/mail-limits.ts'
import { findSession } from '../sessions/session.repository.ts'
import { type NewFactor, startSession } from '../sessions/start-session.ts'
import { lockAddressAndAccount } from '../users/enter-by-email.ts'
import { type Challenge, clientAsker, listChallenges, useChallenge } from './challenge.repository.ts'
import { enterByWallet } from './enter-by-wallet.ts'
import { readWallet } from './read-wallet.ts'
import { findWallet, type OwnedWallet } from './wallet.repository.ts'
import { type Wallet, walletKey } from './wallet.ts'
import { readSignature, type VerifySignature } from './wallet-signature.ts'

/**
 * Signs in with a wallet, or adds it to the account of the session, by its signature of a challenge. A wallet that
 * no account has gets one. Throws `unable_to_authenticate_crypto_wallet` if the signature is of no challenge for
 * this wallet, or of one that another person requested to add it.
 */
export function authenticateWallet(deps: Deps): HandlerOf<'authenticateWallet'> {
  const { db, change, readClient, answerSignIn, limits, origins, cipher, settings, mailSender, now } = deps
  return async (request, reply) => {
    const client = readClient(request)
    const wallet = readWallet(request.body, settings.walletTypes)
    const key = walletKey(wallet)
    const requester = await limits.countWallet(key, client, origins.selectForWallet(client, wallet))
    const verify = readSignature(wallet, request.body.signature)
    const { nonce, userId, validFrom } = await findSigned(wallet, verify, client, requester)
    if (validFrom > now()) throw new IdentityError('siwe_message_not_valid_yet')
    const open = await change(async work => {
      await lockAddressAndAccount(work, key, userId, trx => findWallet(trx, wallet))
      const isFirstUse = await useChallenge(work, nonce)
      const entered = isFirstUse ? await enterByWallet(work, deps, wallet, client, userId) : null
      if (entered === null) throw unableToAuthenticate()
      return startSession(work, {
        userId: entered.userId,
        factor: walletFactor(entered),
        minutes: request.body.session_duration_minutes,
        client,
        limits: settings,
        // Without a request from the session this is a sign-in like any other.
        isStepUp: userId !== null,
      })
    })
    mailSender.wake()
    return answerSignIn(request, reply, open, {})
  }

  /** Returns the challenge that the wallet has signed. */
  async function findSigned(
    wallet: Wallet,
    verify: VerifySignature,
    { sessionToken }: Client,
    requester: Requester,
  ): Promise<Challenge> {
    const session = sessionToken === null ? null : await findSession(db, sessionToken, now())
    const asker = clientAsker(cipher, requester)
    const challenges = await listChallenges(db, wallet, asker, session?.userId ?? null, now())
    for (const challenge of challenges) {
      if (verify(challenge.message)) return challenge
      // Lets other requests run between two comparisons.
      await setImmediate()
    }
    throw unableToAuthenticate()
  }
}

function unableToAuthenticate(): IdentityError {
  return new IdentityError('unable_to_authenticate_crypto_wallet')
}

function walletFactor({ walletId, type, address }: OwnedWallet): NewFactor {
  return {
    type: 'crypto',
    delivery_method: 'crypto_wallet',
    crypto_wallet_factor: {
      crypto_wallet_id: walletId,
      crypto_wallet_address: address,
      crypto_wallet_type: type,
    },
  }
}
