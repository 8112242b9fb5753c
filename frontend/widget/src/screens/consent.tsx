import { useScreenState, useWidget } from '../ui/context.ts'
import { Button, Message, Rich, Screen } from '../ui/parts.tsx'

/** Asks whether a connected app may do what it asks for. */
export function IDPConsent() {
  const { act, flows, texts } = useWidget()
  const { consent } = useScreenState()
  if (consent === null) return null
  const { appName, appDescription, scopes, canChange, email, place } = consent
  const decide = (isGranted: boolean) => act('consent', () => flows.decideConsent(isGranted))
  return (
    <Screen title="consent.title" values={{ app: appName }} hasBack={false}>
      {appDescription !== '' && <p className="content">{appDescription}</p>}
      <p>
        <Rich id="consent.content" values={{ app: appName }} />
      </p>
      <ul className="scopes">
        {scopes.map(scope => (
          <li key={scope}>{scope}</li>
        ))}
      </ul>
      <p className="hint">
        {!canChange && `${texts.text('consent.readOnly')} `}
        <Rich id="consent.place" values={{ place }} />
      </p>
      <div className="buttons">
        <Button look="primary" onClick={() => decide(true)}>
          {texts.text('button.allow')}
        </Button>
        <Button onClick={() => decide(false)}>{texts.text('button.deny')}</Button>
      </div>
      <Message id="consent-problem" at="consent" />
      {email !== '' && (
        <p className="hint">
          <Rich id="consent.account" values={{ email }} />
        </p>
      )}
      <Button look="link" onClick={() => act('consent', flows.logOut)}>
        {texts.text('button.otherAccount')}
      </Button>
    </Screen>
  )
}
