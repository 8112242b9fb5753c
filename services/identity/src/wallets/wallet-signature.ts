import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { eip191Signer } from 'micro-eth-signer'
import { IdentityError } from '../errors.ts'
import { decodeBase58 } from './read-wallet.ts'
import type { Wallet } from './wallet.ts'

/** Returns whether the signature is the wallet's for this text. */
export type VerifySignature = (message: string) => boolean

/**
 * Reads the signature of a wallet. Throws `invalid_signature` for another alphabet and for a signature that
 * a stranger can have derived from another one, and `signature_is_incorrect_size`.
 */
export function readSignature({ type, address }: Wallet, signature: string): VerifySignature {
  return type === 'ethereum' ? readEthereum(address, signature) : readSolana(address, signature)
}

/** Hex digits of r, s and the recovery id. */
const ETHEREUM_DIGITS = 130

function readEthereum(address: string, signature: string): VerifySignature {
  const digits = /^0x([0-9a-f]*)$/i.exec(signature)?.[1]
  if (digits === undefined) throw new IdentityError('invalid_signature')
  if (digits.length !== ETHEREUM_DIGITS) throw new IdentityError('signature_is_incorrect_size')
  const bytes = Buffer.from(digits, 'hex')
  // Some hardware wallets count from 0 instead of 27.
  if (bytes[64]! < 2) bytes[64]! += 27
  if (![27, 28].includes(bytes[64]!) || !isCanonical(bytes.subarray(0, 64))) {
    throw new IdentityError('invalid_signature')
  }
  return message => {
    try {
      return eip191Signer.recoverAddress(bytes.toString('hex'), message) === address
    } catch {
      // No key has this signature.
      return false
    }
  }
}

/** Returns whether r and s are in range, and s in its lower half. The other half gives a second signature. */
function isCanonical(bytes: Uint8Array): boolean {
  try {
    return !secp256k1.Signature.fromBytes(new Uint8Array(bytes), 'compact').hasHighS()
  } catch {
    return false
  }
}

function readSolana(address: string, signature: string): VerifySignature {
  if (!/^[1-9A-HJ-NP-Za-km-z]+$/.test(signature)) throw new IdentityError('invalid_signature')
  const bytes = decodeBase58(signature, 64)
  if (bytes === null) throw new IdentityError('signature_is_incorrect_size')
  const key = decodeBase58(address, 32)!
  return message => {
    try {
      // The strict rules of RFC 8032: weak keys, for which everybody can sign, are refused.
      return ed25519.verify(bytes, new TextEncoder().encode(message), key, { zip215: false })
    } catch {
      // The address is no key.
      return false
    }
  }
}
