import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { Account } from './account.ts'
import { saveUsername } from './save-username.ts'
import { useUsernameCheck } from './use-username-check.ts'
import { usernameHint, usernameInput, usernameProblem } from './username-hint.tsx'

export interface UsernameFormRules {
  readonly account: Account
  readonly userId: string
  /** The stored name. */
  readonly username: string
  readonly onSaved: (username: string) => void
}

/** A field for a new name. It is checked while the driver types, and saved by a button or Enter. */
export function useUsernameForm({ account, userId, username, onSaved }: UsernameFormRules) {
  const [text, setText] = useState(username)
  const [isBusy, setBusy] = useState(false)
  const isSaving = useRef(false)
  const [verdict, check] = useUsernameCheck(account)
  const isRefused = verdict.kind === 'problem' || verdict.kind === 'checking'

  /** Enter was pressed during the check. The name is saved after the check. */
  const [isWanted, setWanted] = useState(false)
  const save = async () => {
    setWanted(verdict.kind === 'checking')
    if (isSaving.current || (text.trim() !== '' && isRefused)) return
    isSaving.current = true
    setBusy(true)
    const saved = await saveUsername(account, userId, text)
    isSaving.current = false
    setBusy(false)
    if (saved === null) return
    check.reset()
    onSaved(saved)
  }
  useEffect(() => {
    if (!isWanted || verdict.kind === 'checking') return
    void save()
  })
  return {
    isBusy,
    save,
    canSave: text.trim() !== '' && !isRefused,
    problem: usernameProblem(verdict),
    hint: usernameHint(verdict),
    field: {
      ...usernameInput,
      value: text,
      // A disabled field or button would lose the focus.
      readOnly: isBusy,
      onChange: (event: { readonly target: { readonly value: string } }) => {
        setText(event.target.value)
        setWanted(false)
        check.type(event.target.value)
      },
      // With a disabled button, Enter could not show what is missing.
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key !== 'Enter') return
        event.preventDefault()
        void save()
      },
    },
  }
}
