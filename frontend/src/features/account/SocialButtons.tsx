import { useState } from 'react'
import { isReachable } from '#shared/api/is-reachable.ts'
import { errorText } from '#shared/session/error-text.ts'
import { Button } from '#shared/ui/Button.tsx'
import type { Account } from './account.ts'
import { socialProviders } from './social-providers.tsx'
import { signInUrl } from './social-url.ts'

interface SocialButtonsProps {
  readonly account: Account
  /** Called before the browser leaves. */
  readonly onLeave: () => void
  readonly onProblem: (sentence: string) => void
}

/** Sends the browser to a provider's sign-in page. */
export function SocialButtons({ account, onLeave, onProblem }: SocialButtonsProps) {
  const [isLeaving, setLeaving] = useState(false)
  return (
    <>
      <div className="my-3 flex items-center gap-3 text-xs text-muted" aria-hidden="true">
        <span className="h-px flex-1 bg-line" />
        OR
        <span className="h-px flex-1 bg-line" />
      </div>
      <div className="space-y-2">
        {socialProviders.map(({ provider, name, mark }) => (
          <Button
            key={provider}
            size="wide"
            isBlocked={isLeaving}
            onClick={async () => {
              setLeaving(true)
              if (!(await isReachable())) {
                setLeaving(false)
                onProblem('Unable to contact our servers.')
                return
              }
              try {
                const url = await signInUrl(account, provider)
                await account.page.keepOpen()
                onLeave()
                account.page.leaveFor(url)
              } catch (error) {
                setLeaving(false)
                onProblem(errorText(error, 'Authentication failed.'))
              }
            }}
          >
            {mark}
            Continue with {name}
          </Button>
        ))}
      </div>
    </>
  )
}
