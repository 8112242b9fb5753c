import type { Organization } from '@lapwing/identity-client/contract'
import { createUsers } from '@lapwing/identity-client/users'
import { Building2, UserRound } from 'lucide-react'
import { Button } from '#shared/ui/Button.tsx'
import { AccountSection } from './AccountSection.tsx'
import { RemovableRow } from './RemovableRow.tsx'
import type { SectionProps } from './section-props.ts'
import { type OAuthProvider, socialProviders } from './social-providers.tsx'
import { addingUrl } from './social-url.ts'
import { useBusyRun } from './use-busy-run.ts'

interface SocialSectionProps extends SectionProps {
  readonly organizations: readonly Organization[]
}

/** The accounts of providers and organizations that open the account: adds and removes them. */
export function SocialSection({ account, user, organizations, run }: SocialSectionProps) {
  const { isBusy, act } = useBusyRun(run)
  const added = user.providers
  const isProved = user.emails.every(({ verified }) => verified)
  const missing = socialProviders.filter(
    ({ provider }) => !added.some(({ provider_type }) => sameProvider(provider_type, provider)),
  )

  const add = (provider: OAuthProvider) =>
    act(async () => {
      const url = await addingUrl(account, provider)
      await account.page.keepOpen()
      account.returnFlags.setAdding()
      account.page.leaveFor(url)
    })

  return (
    <AccountSection id="social-accounts" title="Social accounts" icon={UserRound} isOn={added.length > 0}>
      <p className="text-muted">Sign in with an account that you have elsewhere.</p>
      {added.length > 0 && (
        <ul className="divide-y divide-line rounded-control border border-line">
          {added.map(({ oauth_user_registration_id: id, provider_type }) => {
            const known = socialProviders.find(({ provider }) => sameProvider(provider_type, provider))
            // The type of an organization's sign-in is the id of its connection.
            const organization = organizations.find(({ sso_connections }) =>
              sso_connections.some(({ connection_id }) => connection_id === provider_type),
            )
            // The type of an issuer that the operator trusts is its address.
            const host = URL.parse(provider_type)?.host ?? provider_type
            const isSso = provider_type.startsWith('sso-connection-')
            // One that is turned off is not listed.
            const other = isSso ? (organization?.organization_name ?? 'An organization') : host
            const name = known?.name ?? other
            const leaving = isSso ? ' You leave the organization.' : ''
            return (
              <RemovableRow
                key={id}
                name={name}
                question={`Remove ${name}? It signs you in no more.${leaving}`}
                action="Remove account"
                isBusy={isBusy}
                onRemove={() =>
                  act(async () => {
                    await createUsers(account.client).removeSocialAccount(id)
                    account.notify.success('Social account removed')
                  })
                }
              >
                {isSso ? <Building2 size={16} aria-hidden /> : known?.mark}
                <span className="min-w-0 flex-1 truncate pl-1.5">{name}</span>
              </RemovableRow>
            )
          })}
        </ul>
      )}
      {organizations.length > 0 && (
        <p className="text-xs text-muted">
          Member of {organizations.map(({ organization_name }) => organization_name).join(', ')}
        </p>
      )}
      {missing.length === 0 ? null : !isProved ? (
        <p className="text-xs text-muted">Confirm your email address before you add an account.</p>
      ) : (
        <div className="flex flex-wrap gap-2">
          {missing.map(({ provider, name, mark }) => (
            <Button key={provider} isBlocked={isBusy} onClick={() => void add(provider)}>
              {mark}
              Add {name}
            </Button>
          ))}
        </div>
      )}
    </AccountSection>
  )
}

/** A hosted provider of the same protocol writes the names with a capital. */
function sameProvider(type: string, provider: OAuthProvider): boolean {
  return type.toLowerCase() === provider
}
