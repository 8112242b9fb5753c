import type { MailText } from './render-mail.ts'

/** The texts of every mail. None has a name or an address in it, because strangers can choose both. */
export const mails = {
  reset_password: ({ url, minutes, loginUrl }: Link): MailText => ({
    subject: 'Reset your Lapwing password',
    title: 'Choose a new password',
    lines: [`The link works once, for ${within(minutes)}.`],
    button: { label: 'Set a new password', url },
    ...(loginUrl !== undefined && {
      otherButton: { label: 'Sign in without a new password', url: loginUrl },
    }),
    note: 'If you did not ask for this, do nothing: your password stays as it is.',
  }),
  login: ({ url, minutes }: Link): MailText => ({
    subject: 'Your Lapwing sign-in link',
    title: 'Sign in to Lapwing',
    lines: [`The link works once, for ${within(minutes)}.`],
    button: { label: 'Sign in', url },
    note: 'If you did not ask for this, do nothing: nobody can sign in without this mail.',
  }),
  signup: ({ url, minutes }: Link): MailText => ({
    subject: 'Welcome to Lapwing: confirm your address',
    title: 'Create your Lapwing account',
    lines: [`The link works once, for ${within(minutes)}.`],
    button: { label: 'Create account', url },
    note: 'If you did not ask for this, do nothing: no account is made.',
  }),
  add_email: ({ url, minutes }: Link): MailText => ({
    subject: 'Add this address to your Lapwing account',
    title: 'Is this your address?',
    lines: [
      'Open the link in the browser in which you are signed in. It adds this address to your account and signs nobody in.',
      `It works once, for ${within(minutes)}.`,
    ],
    button: { label: 'Add this address', url },
    note: 'If you did not ask for this, do nothing: the address is not added.',
  }),
  add_code: ({ code, minutes }: Code): MailText => ({
    subject: 'Your code to add this address to your Lapwing account',
    title: 'Is this your address?',
    lines: [
      'Type the code in the browser in which you are signed in. It adds this address to your account and signs nobody in.',
      `It works once, for ${within(minutes)}. Nobody from Lapwing will ever ask you for it.`,
    ],
    code,
    note: 'If you did not ask for this, do nothing: the address is not added.',
  }),
  code: ({ code, minutes }: Code): MailText => ({
    subject: 'Your Lapwing sign-in code',
    title: 'Your sign-in code',
    lines: [`The code works once, for ${within(minutes)}. Nobody from Lapwing will ever ask you for it.`],
    code,
    note: 'If you did not ask for this, do nothing: nobody can sign in without this code.',
  }),
  no_account: ({ url }: { url: string }): MailText => ({
    subject: 'No Lapwing account with this address',
    title: 'There is no account here',
    lines: [
      'Somebody, probably you, asked for a way into Lapwing with this address, but no account has it. Perhaps you signed up with another one.',
    ],
    button: { label: 'Open Lapwing', url },
    note: 'If you did not ask for this, do nothing.',
  }),
  already_registered: ({ url }: { url: string }): MailText => ({
    subject: 'You already have a Lapwing account',
    title: 'You already have an account',
    lines: [
      'Somebody, probably you, tried to sign up with this address. It has an account already: sign in, or reset the password if you do not know it any more.',
    ],
    button: { label: 'Open Lapwing', url },
    note: 'If it was not you, do nothing: nothing was changed.',
  }),
  password_changed: ({ url }: { url: string }): MailText => ({
    subject: 'Your Lapwing password was changed',
    title: 'Your password was changed',
    lines: ['You were signed out everywhere else.'],
    button: { label: 'Open Lapwing', url },
    note: 'If it was not you, reset your password now with "Forgot Password".',
  }),
  provider_added: ({ url, provider }: { url: string; provider: string }): MailText => ({
    subject: `${provider} now opens your Lapwing account`,
    title: `You can sign in with ${provider} now`,
    lines: [`Somebody, probably you, signed in with a ${provider} account that has this address.`],
    button: { label: 'Open Lapwing', url },
    note: 'If it was not you, reset your password now with "Forgot Password".',
  }),
  totp_added: wayChanged({
    subject: 'An authenticator app now protects your Lapwing account',
    title: 'Your authenticator app is set up',
    line: 'Signing in needs a code of the app from now on. You were signed out everywhere else.',
  }),
  totp_removed: wayChanged({
    subject: 'The authenticator app of your Lapwing account was removed',
    title: 'Your authenticator app was removed',
    line: 'Signing in needs no code of an app any more. You were signed out everywhere else.',
  }),
  recovery_code_used: wayChanged({
    subject: 'A recovery code opened your Lapwing account',
    title: 'A recovery code was used',
    line: 'Somebody, probably you, signed in with a recovery code instead of the authenticator app. That code does not work any more.',
  }),
  codes_guessed: wayChanged({
    subject: 'Wrong codes were typed for your Lapwing account',
    title: 'Wrong codes were typed',
    line: 'After a first step, such as your password, somebody typed wrong codes of the authenticator app or wrong recovery codes. Further tries must wait.',
  }),
  passkey_added: wayChanged({
    subject: 'A passkey now opens your Lapwing account',
    title: 'A passkey was added',
    line: 'It signs in without a password. You can name or remove it in the settings.',
  }),
  passkey_removed: wayChanged({
    subject: 'A passkey of your Lapwing account was removed',
    title: 'A passkey was removed',
    line: 'It opens your account no more. You were signed out everywhere else.',
  }),
  phone_added: wayChanged({
    subject: 'A phone number now opens your Lapwing account',
    title: 'A phone number was added',
    line: 'A code sent to the phone signs in without a password. You can remove the number in the settings.',
  }),
  phone_removed: wayChanged({
    subject: 'A phone number of your Lapwing account was removed',
    title: 'A phone number was removed',
    line: 'It opens your account no more. You were signed out everywhere else.',
  }),
  social_added: wayChanged({
    subject: 'A social account now opens your Lapwing account',
    title: 'A social account was added',
    line: 'It signs in without a password. You can remove it in the settings.',
  }),
  social_removed: wayChanged({
    subject: 'A social account of your Lapwing account was removed',
    title: 'A social account was removed',
    line: 'It opens your account no more. You were signed out everywhere else.',
  }),
  wallet_added: wayChanged({
    subject: 'A wallet now opens your Lapwing account',
    title: 'A wallet was added',
    line: 'Its signature signs in without a password. You can remove the wallet in the settings.',
  }),
  wallet_removed: wayChanged({
    subject: 'A wallet of your Lapwing account was removed',
    title: 'A wallet was removed',
    line: 'It opens your account no more. You were signed out everywhere else.',
  }),
  app_connected: wayChanged({
    subject: 'An app is now connected to your Lapwing account',
    title: 'An app was connected',
    line: 'It can do what you agreed to. You can see and disconnect it under "Connected apps" in the settings.',
  }),
  organization_joined: wayChanged({
    subject: 'Your Lapwing account joined an organization',
    title: 'You joined an organization',
    line: 'The organization of your mail address lists you as a member. You can see it in the settings.',
  }),
  impersonated: ({ url }: { url: string }): MailText => ({
    subject: 'An operator opened your Lapwing account',
    title: 'An operator opened your account',
    lines: [
      'For an hour at most, an operator of this site sees Lapwing as you see it, to find a problem. They do not learn your password and cannot change how you sign in.',
    ],
    button: { label: 'Open Lapwing', url },
    note: 'If you did not ask for help, please ask the operator of this site about it.',
  }),
} as const

/** Creates the text of a mail about a changed way into an account. */
function wayChanged({ subject, title, line }: { subject: string; title: string; line: string }) {
  return ({ url }: { url: string }): MailText => ({
    subject,
    title,
    lines: [line],
    button: { label: 'Open Lapwing', url },
    note: 'If it was not you, reset your password now with "Forgot Password", and look at your settings.',
  })
}

interface Link {
  readonly url: string
  readonly minutes: number
  /** Address of a second link, which signs in without a new password. */
  readonly loginUrl?: string
}

interface Code {
  readonly code: string
  readonly minutes: number
}

export type MailKind = keyof typeof mails
export type MailData<Kind extends MailKind> = Parameters<(typeof mails)[Kind]>[0]

function within(minutes: number): string {
  if (minutes < 120) return `${minutes} minutes`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} hours` : `${Math.floor(hours / 24)} days`
}
