import '../../src/styles/tokens.css'
import './demo.css'
import { MFA_METHODS, MODES, OAUTH_PROVIDERS, OTP_METHODS, PRODUCTS, THEMES } from '../src/config/products.ts'

/** An option of the demo: attributes of the element, and how to choose their value. */
type Option =
  | { readonly kind: 'words'; readonly name: string; readonly label: string; readonly of: readonly string[] }
  | { readonly kind: 'choice'; readonly name: string; readonly label: string; readonly of: readonly string[] }
  | { readonly kind: 'text'; readonly name: string; readonly label: string }

const OPTIONS: readonly Option[] = [
  { kind: 'words', name: 'products', label: 'Products', of: PRODUCTS },
  { kind: 'words', name: 'otp-methods', label: 'Codes by', of: OTP_METHODS },
  { kind: 'words', name: 'providers', label: 'Providers', of: Object.keys(OAUTH_PROVIDERS) },
  { kind: 'words', name: 'mfa-methods', label: 'Second factors to offer', of: MFA_METHODS },
  { kind: 'choice', name: 'mode', label: 'Mode', of: MODES },
  { kind: 'choice', name: 'theme', label: 'Theme', of: THEMES },
  { kind: 'choice', name: 'locale', label: 'Language', of: ['en', 'de', 'es', 'fr', 'pt-BR'] },
  { kind: 'choice', name: 'tabs', label: 'Tabs', of: ['on', 'off'] },
  { kind: 'choice', name: 'header', label: 'Title', of: ['on', 'off'] },
  { kind: 'choice', name: 'dir', label: 'Direction', of: ['ltr', 'rtl'] },
  { kind: 'choice', name: 'email-choice', label: 'Choice of link or code', of: ['off', 'on'] },
  { kind: 'choice', name: 'organizations', label: 'Organizations', of: ['off', 'on'] },
  { kind: 'choice', name: 'idp', label: 'Requests of connected apps', of: ['off', 'on'] },
  { kind: 'text', name: 'login-redirect-url', label: 'Address after a link or provider' },
  { kind: 'text', name: 'signup-redirect-url', label: 'Address after a sign-up' },
  { kind: 'text', name: 'reset-redirect-url', label: 'Address of a reset link' },
  { kind: 'text', name: 'session-minutes', label: 'Minutes of a session' },
  { kind: 'text', name: 'passkey-domain', label: 'Domain of passkeys' },
  { kind: 'text', name: 'organization', label: 'Id of the only organization' },
  { kind: 'text', name: 'logo', label: 'Address of a logo' },
  { kind: 'text', name: 'logo-alt', label: 'Text of the logo' },
]

/** Values that the demo begins with. */
const FIRST: Readonly<Record<string, string>> = {
  products: 'otp oauth passkeys',
  'otp-methods': 'email',
  providers: 'google discord',
  'login-redirect-url': `${location.origin}/authenticate`,
}

const find = <Kind extends HTMLElement>(id: string) => document.getElementById(id) as Kind
const options = find<HTMLFormElement>('options')

/** Options of the address come first, so that a choice can be shared. */
const chosen = new Map<string, string>([
  ...Object.entries(FIRST),
  ...[...new URLSearchParams(location.search)].filter(([name]) =>
    OPTIONS.some(option => option.name === name),
  ),
])

function addOption(option: Option): void {
  if (option.kind === 'words') {
    const group = document.createElement('fieldset')
    const legend = document.createElement('legend')
    legend.textContent = option.label
    group.append(legend, ...option.of.map(word => checkboxOf(option.name, word)))
    options.append(group)
    return
  }
  const label = document.createElement('label')
  label.append(option.label, option.kind === 'text' ? textOf(option.name) : selectOf(option.name, option.of))
  options.append(label)
}

const wordsOf = (name: string) => (chosen.get(name) ?? '').split(' ').filter(word => word !== '')

function checkboxOf(name: string, word: string): HTMLLabelElement {
  const label = document.createElement('label')
  const input = document.createElement('input')
  input.type = 'checkbox'
  input.checked = wordsOf(name).includes(word)
  input.addEventListener('change', () => {
    // The order of the presses is the order on the screen.
    const others = wordsOf(name).filter(other => other !== word)
    choose(name, (input.checked ? [...others, word] : others).join(' '))
  })
  label.append(input, word)
  return label
}

function selectOf(name: string, values: readonly string[]): HTMLSelectElement {
  const select = document.createElement('select')
  select.append(...values.map(value => new Option(value, value, false, chosen.get(name) === value)))
  select.addEventListener('change', () => choose(name, select.selectedIndex === 0 ? '' : select.value))
  return select
}

function textOf(name: string): HTMLInputElement {
  const input = document.createElement('input')
  input.value = chosen.get(name) ?? ''
  input.addEventListener('change', () => choose(name, input.value.trim()))
  return input
}

function choose(name: string, value: string): void {
  if (value === '') chosen.delete(name)
  else chosen.set(name, value)
  show()
}

let publicToken = ''

/** Shows a new widget with the chosen options, and the snippet for it. */
function show(): void {
  const widget = document.createElement('lapwing-login')
  const attributes = [['public-token', publicToken] as const, ...chosen]
  for (const [name, value] of attributes) widget.setAttribute(name, value)
  // The page has the theme of the widget. Without one, both follow the system.
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  document.documentElement.dataset.theme = chosen.get('theme') ?? system
  for (const type of ['lapwing-event', 'lapwing-error']) {
    widget.addEventListener(type, event => hear(type, (event as CustomEvent).detail))
  }
  find('place').replaceChildren(widget)
  const lines = attributes.map(([name, value]) => `\n  ${name}="${value}"`)
  find('snippet').textContent =
    `<script src="${location.origin}/widget/v1.js" async></script>\n<lapwing-login${lines.join('')}\n></lapwing-login>`
}

function hear(type: string, detail: { readonly type?: string; readonly message?: string }): void {
  const item = document.createElement('li')
  item.textContent = [type, detail.type, detail.message].filter(text => text).join(': ')
  find('events').prepend(item)
}

find('copy').addEventListener('click', async () => {
  await navigator.clipboard.writeText(find('snippet').textContent ?? '')
  find('copied').textContent = 'Copied'
})
for (const option of OPTIONS) addOption(option)

const config = (await (await fetch('/config.json')).json()) as {
  readonly identity: { readonly publicToken: string } | null
}
publicToken = config.identity?.publicToken ?? 'public-token-of-your-project'
const script = document.createElement('script')
script.src = '/widget/v1.js'
document.head.append(script)
show()
