import type { OtpMethod } from '../machine/machine.ts'
import type { Config } from './config.ts'
import type { OAuthProvider, Wallet } from './products.ts'

/**
 * What a form on Main does with its field. `password` searches the address first, and `choice` asks whether to
 * send a link or a code.
 */
export type Form = 'link' | 'code' | 'choice' | 'password' | 'sms' | 'whatsapp'

export type ButtonOfMain =
  | { readonly kind: 'oauth'; readonly provider: OAuthProvider }
  | { readonly kind: 'wallet'; readonly wallet: Wallet }
  | { readonly kind: 'otherWallets' }
  | { readonly kind: 'passkey' }
  | { readonly kind: 'password' }
  | { readonly kind: 'more' }

/** One part of Main: all forms together, or buttons. */
export type Block =
  | { readonly kind: 'forms'; readonly forms: readonly Form[] }
  | { readonly kind: 'buttons'; readonly buttons: readonly ButtonOfMain[] }

/** Most buttons on Main, with the one that shows more. */
export const MAX_BUTTONS = 6
/** Wallets with a button of their own on Main. */
const WALLETS_ON_MAIN = 2

/**
 * Returns the parts of Main in the order of the products. All forms are together, where the first of them is.
 *
 * @param wallets names of wallets, those in this browser first
 * @param showsAll whether the person asked for more buttons
 */
export function layoutOf(config: Config, wallets: readonly Wallet[], showsAll: boolean): readonly Block[] {
  const forms = formsOf(config)
  const blocks: Block[] = []
  for (const product of config.products) {
    if (product === 'emailMagicLinks' || product === 'otp' || product === 'passwords') {
      if (!blocks.some(({ kind }) => kind === 'forms')) blocks.push({ kind: 'forms', forms })
      if (product === 'passwords' && hasPasswordButton(config)) add(blocks, [{ kind: 'password' }])
    } else if (product === 'oauth') {
      add(
        blocks,
        config.oauth.providers.map(provider => ({ kind: 'oauth', provider })),
      )
    } else if (product === 'crypto') {
      const named = wallets.slice(0, WALLETS_ON_MAIN).map(wallet => ({ kind: 'wallet', wallet }) as const)
      add(blocks, [...named, { kind: 'otherWallets' }])
    } else add(blocks, [{ kind: 'passkey' }])
  }
  return showsAll ? blocks : shortened(blocks)
}

/** Returns the forms of Main. One form serves the address, whatever the products do with it. */
export function formsOf(config: Config): readonly Form[] {
  const email = emailFormOf(config)
  const forms = config.products.flatMap((product): (Form | null)[] => {
    if (product === 'otp') return config.otp.methods.map(method => (method === 'email' ? email : method))
    return product === 'emailMagicLinks' || product === 'passwords' ? [email] : []
  })
  return [...new Set(forms.filter(form => form !== null))]
}

/** Returns the way of signing in by mail without a password; null if the page offers none. */
export function passwordlessForm({ products, otp, link }: Config): 'link' | 'code' | 'choice' | null {
  if (products.includes('emailMagicLinks')) return link.offersCode ? 'choice' : 'link'
  return products.includes('otp') && otp.methods.includes('email') ? 'code' : null
}

/** Returns what the address is for: the first product that needs one decides. */
function emailFormOf(config: Config): Form | null {
  const first = config.products.find(
    product =>
      product === 'emailMagicLinks' ||
      product === 'passwords' ||
      (product === 'otp' && config.otp.methods.includes('email')),
  )
  return first === undefined ? null : first === 'passwords' ? 'password' : passwordlessForm(config)
}

/** Whether the address of Main gets a link or a code, so that the password needs a button. */
function hasPasswordButton(config: Config): boolean {
  return config.products.includes('passwords') && emailFormOf(config) !== 'password'
}

function add(blocks: Block[], buttons: readonly ButtonOfMain[]): void {
  const last = blocks.at(-1)
  if (last?.kind === 'buttons')
    blocks[blocks.length - 1] = { ...last, buttons: [...last.buttons, ...buttons] }
  else blocks.push({ kind: 'buttons', buttons })
}

/** Leaves out the buttons above the limit. The last one then shows the others. */
function shortened(blocks: readonly Block[]): readonly Block[] {
  const count = blocks.reduce((sum, block) => sum + (block.kind === 'buttons' ? block.buttons.length : 0), 0)
  if (count <= MAX_BUTTONS) return blocks
  let room = MAX_BUTTONS - 1
  let hasMore = false
  return blocks.flatMap((block): Block[] => {
    if (block.kind === 'forms') return [block]
    const buttons: ButtonOfMain[] = block.buttons.slice(0, room)
    room -= buttons.length
    if (buttons.length < block.buttons.length && !hasMore) {
      hasMore = true
      buttons.push({ kind: 'more' })
    }
    return buttons.length === 0 ? [] : [{ kind: 'buttons', buttons }]
  })
}

/** Whether the method sends its codes to a phone. */
export function isPhoneForm(form: Form): form is Extract<OtpMethod, 'sms' | 'whatsapp'> {
  return form === 'sms' || form === 'whatsapp'
}
