interface DialogEvents {
  readonly onOpenChange: (open: boolean) => void
  readonly onSignedIn: () => void
}

/** Closes the dialog of a driver who has signed in and whose name is saved. Then calls the success callback. */
export function endSignIn({ onOpenChange, onSignedIn }: DialogEvents): void {
  onOpenChange(false)
  onSignedIn()
}
