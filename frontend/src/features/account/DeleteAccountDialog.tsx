import { useState } from 'react'
import { Button } from '#shared/ui/Button.tsx'
import { Dialog } from '#shared/ui/Dialog.tsx'
import { Notice } from '#shared/ui/Notice.tsx'
import { TextField } from '#shared/ui/TextField.tsx'
import type { Account } from './account.ts'
import { deleteAccount } from './delete-account.ts'

interface DeleteAccountDialogProps {
  readonly account: Account
  readonly username: string
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
}

/** Asks twice, since a deleted account cannot be restored. */
export function DeleteAccountDialog({ open, onOpenChange, ...rest }: DeleteAccountDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Delete account" width="w-[440px]">
      <Questions {...rest} onCancel={() => onOpenChange(false)} />
    </Dialog>
  )
}

interface QuestionsProps extends Pick<DeleteAccountDialogProps, 'account' | 'username'> {
  readonly onCancel: () => void
}

function Questions({ account, username, onCancel }: QuestionsProps) {
  const [typed, setTyped] = useState('')
  const [isSure, setSure] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const isConfirmed = typed.trim().toLowerCase() === username.toLowerCase()

  const erase = async () => {
    setBusy(true)
    setProblem(await deleteAccount(account, username))
    setBusy(false)
  }
  return (
    <form
      noValidate
      className="space-y-3 px-5 pt-3 pb-5"
      onSubmit={event => {
        event.preventDefault()
        // Enter in the field only goes on to the question.
        if (isConfirmed) setSure(true)
      }}
    >
      {problem && <Notice message={problem} onDismiss={() => setProblem(null)} />}
      <p className="text-muted">
        Your account, your files and your places on the leaderboards are deleted, in every part of Lapwing.
        Nothing brings them back.
      </p>
      {isSure ? (
        <p role="status" className="font-semibold">
          Delete {username} for good?
        </p>
      ) : (
        <TextField
          label={`Type ${username} to go on`}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={typed}
          onChange={event => setTyped(event.target.value)}
        />
      )}
      <div className="flex justify-end gap-2">
        {/* The key makes this a new button, so that it takes the focus. */}
        <Button key={isSure ? 'sure' : 'ask'} autoFocus={isSure} onClick={onCancel} isBlocked={isBusy}>
          Keep my account
        </Button>
        {isSure ? (
          <Button key="erase" variant="danger" onClick={() => void erase()} isBlocked={isBusy}>
            {isBusy ? 'Deleting...' : 'Delete everything'}
          </Button>
        ) : (
          <Button key="go-on" type="submit" variant="danger" disabled={!isConfirmed}>
            Delete account
          </Button>
        )}
      </div>
    </form>
  )
}
