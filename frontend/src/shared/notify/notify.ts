/** Shows short messages above the page. */
export interface Notify {
  success(message: string): void
  info(message: string): void
  error(message: string, more?: ErrorMore): void
}

interface ErrorMore {
  /** A second line. */
  readonly detail?: string | null | undefined
  /** Adds a Retry button. */
  readonly onRetry?: (() => void) | undefined
}
