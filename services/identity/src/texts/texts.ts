/**
 * The words of every text. None has a name in it, because strangers can choose names. Each fits into one SMS:
 * 160 characters of the alphabet of GSM.
 */
export const texts = {
  code: ({ code, minutes }: Code) =>
    `${code} is your Lapwing sign-in code. It works once, for ${minutes} minutes. Nobody from Lapwing will ask you for it.`,
  add_code: ({ code, minutes }: Code) =>
    `${code} adds this number to the Lapwing account in which you are signed in. It works once, for ${minutes} minutes. Never pass it on.`,
  no_account: () =>
    'No Lapwing account has this number. Somebody, probably you, asked to sign in with it. Perhaps you signed up in another way.',
} as const

interface Code {
  readonly code: string
  readonly minutes: number
}

export type TextKind = keyof typeof texts
export type TextData<Kind extends TextKind> = Parameters<(typeof texts)[Kind]>[0]

/**
 * Returns the last line by which a phone offers the code to the page of this host alone (the WICG format of
 * domain-bound codes).
 */
export function boundTo(host: string, code: string): string {
  return `\n\n@${host} #${code}`
}
