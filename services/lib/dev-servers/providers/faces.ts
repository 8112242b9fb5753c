import { createHash } from 'node:crypto'

/** The providers of this process, by the first part of their paths. */
export const faces: Readonly<Record<FaceName, Face>> = {
  google: {
    title: 'Local Google',
    profilePath: '/userinfo',
    isOpenId: true,
    profile: account => ({
      sub: numericId('google', account.email, 21),
      email: account.email,
      email_verified: account.verified,
      name: nameOf(account),
      given_name: nameOf(account),
      picture: `https://pictures.lapwing.invalid/${numericId('google', account.email, 21)}.png`,
      locale: 'en',
    }),
  },
  discord: {
    title: 'Local Discord',
    profilePath: '/users/@me',
    isOpenId: false,
    profile: account => ({
      id: numericId('discord', account.email, 18),
      username: nameOf(account),
      global_name: nameOf(account),
      avatar: null,
      email: account.email,
      verified: account.verified,
      locale: 'en-GB',
    }),
  },
}

export type FaceName = 'google' | 'discord'

export interface Face {
  readonly title: string
  /** Path of the profile, below the provider's own path. */
  readonly profilePath: string
  /** True if the provider sends an ID token with the access token. */
  readonly isOpenId: boolean
  /** Returns the provider's profile of a person. */
  readonly profile: (account: Account) => Readonly<Record<string, unknown>>
}

export interface Account {
  readonly email: string
  /** True if the provider reports the address as confirmed. */
  readonly verified: boolean
}

function nameOf({ email }: Account): string {
  return email.slice(0, email.indexOf('@'))
}

/** Returns the same id for the same address, with as many digits as the real provider's ids. */
function numericId(face: FaceName, email: string, digits: number): string {
  const hash = createHash('sha256').update(`${face}:${email.toLowerCase()}`).digest('hex')
  return (10n ** BigInt(digits - 1) + (BigInt(`0x${hash}`) % (9n * 10n ** BigInt(digits - 1)))).toString()
}
