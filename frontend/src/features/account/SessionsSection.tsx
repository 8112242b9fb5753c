import type { ListedSession } from '@lapwing/identity-client/contract'
import { createSessions } from '@lapwing/identity-client/sessions'
import { MonitorSmartphone } from 'lucide-react'
import { useState } from 'react'
import { formatMoment } from '#shared/laps/lap-facts.ts'
import { Button } from '#shared/ui/Button.tsx'
import { AccountSection } from './AccountSection.tsx'
import { browserName } from './browser-name.ts'
import { ConfirmRemoval } from './ConfirmRemoval.tsx'
import type { SectionProps } from './section-props.ts'
import { useBusyRun } from './use-busy-run.ts'

interface SessionsSectionProps extends Pick<SectionProps, 'account' | 'run'> {
  readonly sessions: readonly ListedSession[]
}

/** Where the driver is signed in. Signs every other browser out. */
export function SessionsSection({ account, sessions, run }: SessionsSectionProps) {
  const { isBusy, act } = useBusyRun(run)
  const [isAsking, setAsking] = useState(false)
  const others = sessions.filter(({ is_current }) => !is_current)
  const shown = [...sessions.filter(({ is_current }) => is_current), ...others]

  return (
    <AccountSection id="sessions" title="Where you are signed in" icon={MonitorSmartphone} isOn={false}>
      <ul className="divide-y divide-line rounded-control border border-line">
        {shown.map(session => (
          <li key={session.session_id} className="px-3 py-2">
            <span className="block truncate" title={session.user_agent}>
              {session.is_operator ? 'An operator of Lapwing' : browserName(session.user_agent)}
            </span>
            <span className="block text-xs text-muted">
              {session.is_current ? (
                'This browser'
              ) : (
                <>
                  Last used{' '}
                  <time dateTime={session.last_accessed_at}>{formatMoment(session.last_accessed_at)}</time>
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
      {others.length === 0 ? (
        <p className="text-xs text-muted">You are signed in nowhere else.</p>
      ) : isAsking ? (
        <ConfirmRemoval
          question="Sign out everywhere else? Each of those browsers has to sign in again."
          action="Sign them out"
          isBusy={isBusy}
          onCancel={() => setAsking(false)}
          onConfirm={async () => {
            await act(async () => {
              await createSessions(account.client).revokeOthers()
              account.notify.success('Signed out everywhere else')
            })
            setAsking(false)
          }}
        />
      ) : (
        <Button onClick={() => setAsking(true)}>Sign out everywhere else</Button>
      )}
    </AccountSection>
  )
}
