import { useScreenState, useWidget } from '../ui/context.ts'
import { Button, CodeField, Field, Form, Message, Screen, Submit } from '../ui/parts.tsx'
import { PhoneForm } from '../ui/phone-form.tsx'
import { Resend } from '../ui/resend.tsx'

/** Offers the second factors that the page wants, or leads to the one that the session demands. */
export function MFAEnrollmentSelection() {
  const { act, config, flows, texts } = useWidget()
  const { demanded } = useScreenState()
  if (demanded !== null) {
    const isApp = demanded === 'app'
    return (
      <Screen title="mfa.select.title" content={isApp ? 'mfa.demanded.app' : 'mfa.demanded.passkey'}>
        <Button
          look="primary"
          onClick={() => act('factor', isApp ? flows.createApp : flows.logInWithPasskey)}
          data-focus
        >
          {texts.text(isApp ? 'mfa.select.totp' : 'button.loginWithPasskey')}
        </Button>
        <Message id="factor-problem" at="factor" />
      </Screen>
    )
  }
  return (
    <Screen title="mfa.select.title" content="mfa.select.content" hasBack={false}>
      <div className="buttons">
        {config.mfaMethods.includes('totp') && (
          <Button onClick={() => act('factor', flows.createApp)}>{texts.text('mfa.select.totp')}</Button>
        )}
        {config.mfaMethods.includes('smsOtp') && (
          <Button onClick={() => flows.dispatch({ type: 'phoneWanted' })}>
            {texts.text('mfa.select.sms')}
          </Button>
        )}
      </div>
      <Message id="factor-problem" at="factor" />
      <Skip />
    </Screen>
  )
}

/** Goes on without a second factor. A demanded one has only the way back. */
function Skip() {
  const { flows, texts } = useWidget()
  return (
    <Button look="link" onClick={() => flows.dispatch({ type: 'skipped' })}>
      {texts.text('button.skip')}
    </Button>
  )
}

export function TOTPEnrollmentQRCode() {
  const { flows, texts } = useWidget()
  const { demanded, totp } = useScreenState()
  return (
    <Screen title="totp.qr.title" content="totp.qr.content" hasBack={demanded !== null}>
      <img className="qr" src={totp?.qrCode} alt={texts.text('totp.qr.alt')} />
      <ConfirmApp />
      <Button look="link" onClick={() => flows.dispatch({ type: 'manualWanted' })}>
        {texts.text('totp.qr.manual')}
      </Button>
      {demanded === null && <Skip />}
    </Screen>
  )
}

export function TOTPEnrollmentManual() {
  const { flows, texts } = useWidget()
  const { demanded, totp } = useScreenState()
  return (
    <Screen title="totp.manual.title" content="totp.manual.content" hasBack={demanded !== null}>
      <p className="secret">{totp?.secret.replace(/(.{4})(?=.)/g, '$1 ')}</p>
      <ConfirmApp />
      <Button look="link" onClick={() => flows.dispatch({ type: 'qrCodeWanted' })}>
        {texts.text('totp.manual.qr')}
      </Button>
      {demanded === null && <Skip />}
    </Screen>
  )
}

function ConfirmApp() {
  const { flows, texts } = useWidget()
  return (
    <Form id="app" onSend={field => flows.confirmApp(field('code'))}>
      <CodeField form="app" label={texts.text('field.appCode.label')} />
      <Submit id="app">{texts.text('button.continue')}</Submit>
    </Form>
  )
}

export function RecoveryCodeSave() {
  const { act, flows, texts, toast } = useWidget()
  const { totp } = useScreenState()
  const codes = totp?.recoveryCodes ?? []
  const copy = () =>
    navigator.clipboard.writeText(codes.join('\n')).then(
      () => toast(texts.text('toast.copied')),
      // Without permission the codes can still be selected.
      () => {},
    )
  return (
    <Screen title="recovery.save.title" content="recovery.save.content" hasBack={false}>
      <ul className="codes">
        {codes.map(code => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="buttons">
        <Button onClick={copy}>{texts.text('button.copy')}</Button>
        <Button look="primary" onClick={() => act('codes', flows.leaveCodes)}>
          {texts.text('recovery.save.done')}
        </Button>
      </div>
      <Message id="codes-problem" at="codes" />
    </Screen>
  )
}

export function TOTPEntry() {
  const { flows, texts } = useWidget()
  return (
    <Screen title="totp.entry.title" content="totp.entry.content">
      <Form id="app" onSend={field => flows.enterAppCode(field('code'))}>
        <CodeField form="app" label={texts.text('field.appCode.label')} />
        <Submit id="app">{texts.text('button.continue')}</Submit>
      </Form>
      <Button look="link" onClick={() => flows.dispatch({ type: 'recoveryWanted' })}>
        {texts.text('totp.entry.recovery')}
      </Button>
    </Screen>
  )
}

export function RecoveryCodeEntry() {
  const { flows, texts } = useWidget()
  return (
    <Screen title="recovery.entry.title" content="recovery.entry.content">
      <Form id="recovery" onSend={field => flows.enterRecoveryCode(field('code').trim())}>
        <Field
          form="recovery"
          label={texts.text('field.recoveryCode.label')}
          name="code"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
          data-focus
        />
        <Submit id="recovery">{texts.text('button.continue')}</Submit>
      </Form>
      <Button look="link" onClick={() => flows.dispatch({ type: 'codeWanted' })}>
        {texts.text('recovery.entry.totp')}
      </Button>
    </Screen>
  )
}

export function SMSOTPEnrollment() {
  const { flows, texts } = useWidget()
  return (
    <Screen title="sms.enroll.title" content="sms.enroll.content" hasBack={false}>
      <PhoneForm id="phone" label={texts.text('button.sms')} onNumber={flows.sendFactorText} />
      <Skip />
    </Screen>
  )
}

export function SMSOTPEntry() {
  const { flows, texts } = useWidget()
  const { otp } = useScreenState()
  return (
    <Screen
      title="passcode.title"
      content="passcode.content"
      values={{ destination: otp.destination }}
      hasBack={false}
    >
      <Form id="text" onSend={field => flows.checkFactorText(field('code'))}>
        <CodeField form="text" label={texts.text('field.passcode.label')} />
        <Submit id="text">{texts.text('button.continue')}</Submit>
      </Form>
      <Resend label="button.resendCode" done="toast.codeSent" />
      <Skip />
    </Screen>
  )
}
