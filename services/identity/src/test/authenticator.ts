import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import { origin } from './harness.ts'

/** What a lying or broken authenticator, browser or page changes. */
export interface Lies {
  readonly origin?: string
  readonly rpId?: string
  readonly challenge?: string
  readonly counter?: number
  readonly userHandle?: string | undefined
  readonly isUserVerified?: boolean
  readonly id?: string
  /** Id inside the signed bytes, if it differs from the outer one. */
  readonly innerId?: string
  readonly signature?: string
}

/** An authenticator with one passkey, together with its browser. It really signs. */
export class Authenticator {
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  readonly id = randomBytes(16).toString('base64url')
  #userHandle = ''
  #counter = 0

  /** Creates the passkey for options that identity returned. Returns the credential as the client sends it. */
  create(optionsJson: string, lies: Lies = {}): string {
    const options = JSON.parse(optionsJson)
    this.#userHandle = options.user.id
    const { id } = { id: this.id, ...lies }
    const rawId = Buffer.from(lies.innerId ?? id, 'base64url')
    const length = Buffer.alloc(2)
    length.writeUInt16BE(rawId.length)
    const authData = Buffer.concat([
      this.#authData(options.rp.id, 0x40, lies),
      Buffer.alloc(16),
      length,
      rawId,
      this.#coseKey(),
    ])
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', new Uint8Array(authData)],
    ])
    return JSON.stringify({
      type: 'public-key',
      id,
      rawId: id,
      authenticatorAttachment: 'platform',
      clientExtensionResults: {},
      response: {
        clientDataJSON: clientData('webauthn.create', options.challenge, lies),
        attestationObject: Buffer.from(isoCBOR.encode(attestation as never)).toString('base64url'),
        transports: ['internal'],
      },
    })
  }

  /** Signs for options that identity returned. */
  get(optionsJson: string, lies: Lies = {}): string {
    const options = JSON.parse(optionsJson)
    this.#counter++
    const authData = this.#authData(options.rpId, 0, lies)
    const clientDataJSON = clientData('webauthn.get', options.challenge, lies)
    const clientHash = createHash('sha256').update(Buffer.from(clientDataJSON, 'base64url')).digest()
    const signature = createSign('sha256')
      .update(Buffer.concat([authData, clientHash]))
      .sign(this.#keys.privateKey)
      .toString('base64url')
    const id = lies.id ?? this.id
    return JSON.stringify({
      type: 'public-key',
      id,
      rawId: id,
      clientExtensionResults: {},
      response: {
        clientDataJSON,
        authenticatorData: authData.toString('base64url'),
        signature: lies.signature ?? signature,
        userHandle: 'userHandle' in lies ? lies.userHandle : this.#userHandle,
      },
    })
  }

  #authData(rpId: string, flags: number, lies: Lies): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(lies.counter ?? this.#counter)
    const isUserVerified = lies.isUserVerified ?? true
    return Buffer.concat([
      createHash('sha256')
        .update(lies.rpId ?? rpId)
        .digest(),
      Buffer.from([flags | 0x01 | (isUserVerified ? 0x04 : 0)]),
      counter,
    ])
  }

  #coseKey(): Buffer {
    const { x, y } = this.#keys.publicKey.export({ format: 'jwk' })
    const key = new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, new Uint8Array(Buffer.from(x!, 'base64url'))],
      [-3, new Uint8Array(Buffer.from(y!, 'base64url'))],
    ])
    return Buffer.from(isoCBOR.encode(key as never))
  }
}

function clientData(type: string, challenge: string, lies: Lies): string {
  const data = {
    type,
    challenge: lies.challenge ?? challenge,
    origin: lies.origin ?? origin,
    crossOrigin: false,
  }
  return Buffer.from(JSON.stringify(data)).toString('base64url')
}
