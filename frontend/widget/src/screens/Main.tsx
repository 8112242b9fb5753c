import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react'
import { useStore } from '../../../src/shared/store/use-store.ts'
import { type ButtonOfMain, type Form as FormOfMain, isPhoneForm, layoutOf } from '../config/layout.ts'
import { OAUTH_PROVIDERS } from '../config/products.ts'
import type { MessageId } from '../texts/texts.ts'
import { useWidget } from '../ui/context.ts'
import { Button, EmailField, Form, isEmail, Message, Submit } from '../ui/parts.tsx'
import { PhoneForm } from '../ui/phone-form.tsx'
import { walletOrder } from '../ui/wallets.ts'

/** The first screen: all products in the order of the configuration. */
export function Main() {
  const { config, flows, presentation, texts, wallets } = useWidget()
  const [showsAll, setShowsAll] = useState(false)
  const apps = useStore(wallets.apps)
  const blocks = layoutOf(config, walletOrder(apps), showsAll)
  const offersPasskeys = config.products.includes('passkeys')
  useEffect(() => (offersPasskeys ? flows.offerPasskeys() : undefined), [flows, offersPasskeys])

  return (
    <>
      {presentation.logo && <img className="logo" src={presentation.logo.url} alt={presentation.logo.alt} />}
      <h2 tabIndex={-1} className={presentation.hasHeader ? undefined : 'unseen'}>
        {texts.text('login.title')}
      </h2>
      {blocks.map((block, index) => (
        // Blocks of one layout have one order.
        <div key={block.kind + String(index)} className="block">
          {index > 0 && <Divider />}
          {block.kind === 'forms' ? (
            <Forms forms={block.forms} />
          ) : (
            <div className="buttons">
              {block.buttons.map(button => (
                <MainButton key={keyOf(button)} button={button} onMore={() => setShowsAll(true)} />
              ))}
            </div>
          )}
        </div>
      ))}
      {config.hasOrganizations && (
        <Button look="link" onClick={() => flows.dispatch({ type: 'organizationWanted' })}>
          {texts.text('button.organization')}
        </Button>
      )}
      <Message id="buttons-problem" at="buttons" />
    </>
  )
}

function Divider() {
  const { texts } = useWidget()
  return (
    <div className="divider" aria-hidden="true">
      {texts.text('divider.text')}
    </div>
  )
}

/** Shows the forms in tabs, or below each other if the page wants it so. */
function Forms({ forms }: { readonly forms: readonly FormOfMain[] }) {
  const { config } = useWidget()
  if (!config.tabs || forms.length < 2) {
    return forms.map((form, index) => (
      <div key={form}>
        {index > 0 && <Divider />}
        <OneForm form={form} />
      </div>
    ))
  }
  return <TabbedForms forms={forms} />
}

/** Tabs of our own: those of Radix compare `document.activeElement`, which a shadow root hides. */
function TabbedForms({ forms }: { readonly forms: readonly FormOfMain[] }) {
  const { direction, texts } = useWidget()
  const [chosen, setChosen] = useState(forms[0]!)
  const id = useId()
  // The page can change the forms.
  const current = forms.includes(chosen) ? chosen : forms[0]!
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const last = forms.length - 1
    const step = direction === 'rtl' ? -1 : 1
    const at = forms.indexOf(current)
    const keys = { ArrowRight: at + step, ArrowLeft: at - step, Home: 0, End: last }
    const next = keys[event.key as keyof typeof keys]
    if (next === undefined) return
    event.preventDefault()
    const index = next < 0 ? last : next > last ? 0 : next
    setChosen(forms[index]!)
    ;(event.currentTarget.children[index] as HTMLElement).focus()
  }
  return (
    <>
      <div className="tabs" role="tablist" aria-label={texts.text('tab.label')} onKeyDown={move}>
        {forms.map(form => (
          <button
            key={form}
            type="button"
            role="tab"
            id={`${id}-${form}`}
            aria-selected={form === current}
            aria-controls={form === current ? `${id}-form` : undefined}
            tabIndex={form === current ? 0 : -1}
            onClick={() => setChosen(form)}
          >
            {texts.text(tabOf(form))}
          </button>
        ))}
      </div>
      <div key={current} role="tabpanel" id={`${id}-form`} aria-labelledby={`${id}-${current}`}>
        <OneForm form={current} />
      </div>
    </>
  )
}

function tabOf(form: FormOfMain): MessageId {
  return form === 'sms' ? 'tab.text' : form === 'whatsapp' ? 'tab.whatsapp' : 'tab.email'
}

function OneForm({ form }: { readonly form: FormOfMain }) {
  const { config, flows, texts } = useWidget()
  if (isPhoneForm(form)) {
    return (
      <PhoneForm
        id={form}
        label={texts.text(form === 'sms' ? 'button.sms' : 'button.whatsapp')}
        onNumber={read => flows.sendText(form, read)}
      />
    )
  }
  const send = async (email: string) => {
    if (!isEmail(email)) {
      // The form for a code has a sentence of its own.
      const type = form === 'code' ? 'error.invalidEmailOtp' : 'invalid_email'
      flows.dispatch({ type: 'failed', problem: { type, message: '' } })
    } else if (form === 'choice') flows.dispatch({ type: 'emailGiven', email })
    else if (form === 'link') await flows.sendLink(email)
    else if (form === 'code') await flows.sendCode(email)
    else await flows.searchUser(email)
  }
  return (
    <Form id={form} onSend={field => send(field('email').trim())}>
      <EmailField form={form} offersPasskeys={config.products.includes('passkeys')} />
      <Submit id={form}>{texts.text('button.emailLogin')}</Submit>
    </Form>
  )
}

function MainButton({
  button,
  onMore,
}: {
  readonly button: ButtonOfMain
  readonly onMore: () => void
}): ReactNode {
  const { act, flows, texts } = useWidget()
  switch (button.kind) {
    case 'oauth':
      return (
        <Button onClick={() => act('buttons', () => flows.startOAuth(button.provider))}>
          {texts.text('button.continueWith', { name: OAUTH_PROVIDERS[button.provider] })}
        </Button>
      )
    case 'wallet':
      return (
        <Button onClick={() => act('wallet', () => flows.connectWallet(button.wallet))}>
          {texts.text('button.continueWith', { name: button.wallet })}
        </Button>
      )
    case 'otherWallets':
      return (
        <Button onClick={() => flows.dispatch({ type: 'otherWalletsWanted' })}>
          {texts.text('button.otherWallets')}
        </Button>
      )
    case 'passkey':
      return (
        <Button onClick={() => act('buttons', flows.logInWithPasskey)}>
          {texts.text('button.loginWithPasskey')}
        </Button>
      )
    case 'password':
      return (
        <Button onClick={() => flows.dispatch({ type: 'passwordWanted' })}>
          {texts.text('button.usePassword')}
        </Button>
      )
    case 'more':
      return <Button onClick={onMore}>{texts.text('button.more')}</Button>
  }
}

function keyOf(button: ButtonOfMain): string {
  return 'provider' in button ? button.provider : 'wallet' in button ? button.wallet : button.kind
}
