import { createHash } from 'node:crypto'

/** The providers that one process plays, by the first part of their addresses. */
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
  /** Where the profile is asked for, below the face's own address. */
  readonly profilePath: string
  /** Whether an ID token comes with the access token. */
  readonly isOpenId: boolean
  /** What the provider says of a person. */
  readonly profile: (account: Account) => Readonly<Record<string, unknown>>
}

export interface Account {
  readonly email: string
  /** Whether the provider says that the address is confirmed. */
  readonly verified: boolean
}

function nameOf({ email }: Account): string {
  return email.slice(0, email.indexOf('@'))
}

/** The same address is the same person every time, as many digits long as the real provider's ids. */
function numericId(face: FaceName, email: string, digits: number): string {
  const hash = createHash('sha256').update(`${face}:${email.toLowerCase()}`).digest('hex')
  return (10n ** BigInt(digits - 1) + (BigInt(`0x${hash}`) % (9n * 10n ** BigInt(digits - 1)))).toString()
}
