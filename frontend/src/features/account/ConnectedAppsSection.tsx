import type { ConnectedApp } from '@lapwing/identity-client/contract'
import { createIdp } from '@lapwing/identity-client/idp'
import { Blocks } from 'lucide-react'
import { AccountSection } from './AccountSection.tsx'
import { canChange, wordsOfScopes } from './consent.ts'
import { RemovableRow } from './RemovableRow.tsx'
import type { SectionProps } from './section-props.ts'
import { useBusyRun } from './use-busy-run.ts'

interface ConnectedAppsSectionProps extends Pick<SectionProps, 'account' | 'run'> {
  readonly apps: readonly ConnectedApp[]
}

/** The apps that the driver has connected: shows what each can do, and disconnects it. */
export function ConnectedAppsSection({ account, apps, run }: ConnectedAppsSectionProps) {
  const { isBusy, act } = useBusyRun(run)
  return (
    <AccountSection id="connected-apps" title="Connected apps" icon={Blocks} isOn={apps.length > 0}>
      <p className="text-muted">
        {apps.length === 0
          ? 'No app reads your data. An app that you connect appears here.'
          : apps.some(({ scopes_granted }) => canChange(scopes_granted.split(' ')))
            ? 'These apps have access to your account. Some of them can change it.'
            : 'These apps can read some of your data. None of them can change anything.'}
      </p>
      {apps.length > 0 && (
        <ul className="divide-y divide-line rounded-control border border-line">
          {apps.map(({ connected_app_id: id, name, scopes_granted: scopes }) => (
            <RemovableRow
              key={id}
              name={name}
              question={`Disconnect ${name}? Its access ends now.`}
              action="Disconnect"
              isBusy={isBusy}
              onRemove={() =>
                act(async () => {
                  await createIdp(account.client).disconnect(id)
                  account.notify.success('App disconnected')
                })
              }
            >
              <span className="min-w-0 flex-1 py-1">
                <span className="block truncate" title={name}>
                  {name}
                </span>
                <span className="block text-xs text-muted">{wordsOfScopes(scopes)}</span>
              </span>
            </RemovableRow>
          ))}
        </ul>
      )}
    </AccountSection>
  )
}
