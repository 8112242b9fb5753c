import { checkUsername } from '@lapwing/usernames'
import { useEffect, useState } from 'react'
import { useStore } from '#shared/store/use-store.ts'
import type { Account } from './account.ts'
import { createUsernameCheck, type UsernameCheck, type UsernameVerdict } from './username-check.ts'

/** Checks the name in one field while the driver types. */
export function useUsernameCheck({ api, page, warn }: Account): readonly [UsernameVerdict, UsernameCheck] {
  const [check] = useState(() =>
    createUsernameCheck({ judge: checkUsername, check: api.checkUsername, after: page.after, warn }),
  )
  useEffect(() => () => check.reset(), [check])
  return [useStore(check), check]
}
