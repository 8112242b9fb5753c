/** Shows short messages above the page. */
export interface Notify {
  success(message: string): void
  info(message: string): void
  /** Shows `detail` as a second line. `onRetry` adds a Retry button, `action` another one. */
  error(
    message: string,
    more?: {
      detail?: string | null | undefined
      onRetry?: () => void
      action?: { readonly label: string; readonly onPress: () => void }
    },
  ): void
}
