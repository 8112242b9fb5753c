import { OAUTH_PROVIDERS } from '../config/products.ts'
import { useScreenState, useWidget } from '../ui/context.ts'
import { Button, EmailField, Form, isEmail, Message, Screen, Submit } from '../ui/parts.tsx'

export function SSODiscoveryEmail() {
  const { flows, texts } = useWidget()
  const send = async (email: string) => {
    if (isEmail(email)) await flows.discover(email)
    else flows.dispatch({ type: 'failed', problem: { type: 'invalid_email', message: '' } })
  }
  return (
    <Screen title="sso.email.title" content="sso.email.content">
      <Form id="organization" onSend={field => send(field('email').trim())}>
        <EmailField form="organization" />
        <Submit id="organization">{texts.text('button.continue')}</Submit>
      </Form>
    </Screen>
  )
}

/** No organization claims the domain of the address. */
export function SSODiscoveryFallback() {
  const { flows, texts } = useWidget()
  const { email } = useScreenState()
  return (
    <Screen title="sso.fallback.title" content="sso.fallback.content" values={{ domain: domainOf(email) }}>
      <div className="buttons">
        <Button look="primary" onClick={() => flows.dispatch({ type: 'organizationWanted' })}>
          {texts.text('button.otherEmail')}
        </Button>
        <Button onClick={flows.back}>{texts.text('button.otherWay')}</Button>
      </div>
    </Screen>
  )
}

/** An organization claims the domain of the address. Its own sign-in can be on its way. */
export function OrganizationDiscoveryClaimedDomain() {
  const { flows, texts } = useWidget()
  const { email, organization } = useScreenState()
  if (organization === null) return null
  return (
    <Screen
      title="organization.claimed.title"
      content="organization.claimed.content"
      values={{ organization: organization.name, domain: domainOf(email) }}
    >
      <Button look="primary" onClick={() => flows.dispatch({ type: 'organizationEntered', organization })}>
        {texts.text('button.continue')}
      </Button>
      <Message id="claimed-problem" at="organization" />
    </Screen>
  )
}

/** The ways that an organization allows. */
export function Organization() {
  const { act, config, flows, texts } = useWidget()
  const { organization } = useScreenState()
  if (organization === null) return null
  const { name, methods, connections } = organization
  const [hasLink, hasCode] = [methods.includes('emailMagicLinks'), methods.includes('emailOtp')]
  const send = async (email: string) => {
    if (!isEmail(email)) flows.dispatch({ type: 'failed', problem: { type: 'invalid_email', message: '' } })
    else if (hasLink && hasCode) flows.dispatch({ type: 'emailGiven', email })
    else if (hasLink) await flows.sendLink(email)
    else await flows.sendCode(email)
  }
  return (
    <Screen title="organization.title" values={{ organization: name }} hasBack={!config.organizationId}>
      {(hasLink || hasCode) && (
        <Form id="organization" onSend={field => send(field('email').trim())}>
          <EmailField form="organization" />
          <Submit id="organization">{texts.text('button.emailLogin')}</Submit>
        </Form>
      )}
      <div className="buttons">
        {connections.length === 1 && (
          <Button onClick={() => act('buttons', () => flows.startSso(connections[0]!.id))}>
            {texts.text('button.continueWith', { name: connections[0]!.name })}
          </Button>
        )}
        {connections.length > 1 && (
          <Button onClick={() => flows.dispatch({ type: 'connectionsWanted', organization })}>
            {texts.text('button.sso')}
          </Button>
        )}
        {methods.includes('oauth') &&
          config.oauth.providers.map(provider => (
            <Button key={provider} onClick={() => act('buttons', () => flows.startOAuth(provider))}>
              {texts.text('button.continueWith', { name: OAUTH_PROVIDERS[provider] })}
            </Button>
          ))}
        {methods.includes('passwords') && (
          <Button onClick={() => flows.dispatch({ type: 'passwordWanted' })}>
            {texts.text('button.usePassword')}
          </Button>
        )}
      </div>
      <Message id="buttons-problem" at="buttons" />
    </Screen>
  )
}

export function SSODiscoveryMenu() {
  const { act, flows, texts } = useWidget()
  const { organization } = useScreenState()
  return (
    <Screen
      title="sso.menu.title"
      content="sso.menu.content"
      values={{ organization: organization?.name ?? '' }}
    >
      <div className="buttons">
        {organization?.connections.map(({ id, name }) => (
          <Button key={id} onClick={() => act('sso', () => flows.startSso(id))}>
            {texts.text('button.continueWith', { name })}
          </Button>
        ))}
      </div>
      <Message id="sso-problem" at="sso" />
    </Screen>
  )
}

/** Lets the signed-in person choose an organization. */
export function Discovery() {
  const { act, flows, texts } = useWidget()
  const { organizations } = useScreenState()
  return (
    <Screen title="discovery.title" content="discovery.content" hasBack={false}>
      <div className="buttons">
        {organizations.map(organization => (
          <Button key={organization.id} onClick={() => act('join', () => flows.join(organization))}>
            {organization.name}
          </Button>
        ))}
      </div>
      <Message id="join-problem" at="join" />
      <Button look="link" onClick={() => flows.dispatch({ type: 'skipped' })}>
        {texts.text('button.noOrganization')}
      </Button>
    </Screen>
  )
}

export function CannotJoinOrgDueToAuthPolicy() {
  const { flows, texts } = useWidget()
  const { organization } = useScreenState()
  if (organization === null) return null
  return (
    <Screen
      title="cannotJoin.title"
      content="cannotJoin.content"
      values={{ organization: organization.name }}
      hasBack={false}
    >
      <div className="buttons">
        <Button look="primary" onClick={() => flows.dispatch({ type: 'organizationEntered', organization })}>
          {texts.text('button.otherWay')}
        </Button>
        <Button onClick={() => flows.dispatch({ type: 'skipped' })}>
          {texts.text('button.noOrganization')}
        </Button>
      </div>
    </Screen>
  )
}

function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1)
}
