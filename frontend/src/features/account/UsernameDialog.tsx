import { Button } from '#shared/ui/Button.tsx'
import { Dialog } from '#shared/ui/Dialog.tsx'
import { TextField } from '#shared/ui/TextField.tsx'
import { type UsernameFormRules, useUsernameForm } from './use-username-form.ts'

interface UsernameDialogProps extends UsernameFormRules {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
}

/** Changes the name that other drivers see. */
export function UsernameDialog({ open, onOpenChange, onSaved, ...rules }: UsernameDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Update username" width="w-[400px]">
      <UsernameForm
        {...rules}
        onCancel={() => onOpenChange(false)}
        onSaved={username => {
          onSaved(username)
          onOpenChange(false)
        }}
      />
    </Dialog>
  )
}

function UsernameForm({ onCancel, ...rules }: UsernameFormRules & { readonly onCancel: () => void }) {
  const { field, problem, hint, canSave, isBusy, save } = useUsernameForm(rules)
  return (
    <div className="px-5 pt-3 pb-5">
      <p className="mb-3 text-muted">The name other drivers see on the leaderboards.</p>
      <TextField label="Username" problem={problem} hint={hint} {...field} />
      <div className="mt-4 flex justify-end gap-2">
        <Button onClick={onCancel}>Cancel</Button>
        <Button variant="primary" disabled={!canSave} aria-disabled={isBusy} onClick={() => void save()}>
          {isBusy ? 'Updating...' : 'Update Username'}
        </Button>
      </div>
    </div>
  )
}
