/** What a board has to expect of the file that is loaded. */
export type BoardWait =
  | { readonly kind: 'nothing' }
  /** It is the sample session, whose laps are on no board. */
  | { readonly kind: 'never' }
  /** Its laps are on their way; since when the server has had the file is null while it is still being sent. */
  | { readonly kind: 'coming'; readonly sinceMs: number | null }
  /** The server has judged them, and the driver's entry should be there. */
  | { readonly kind: 'due'; readonly sinceMs: number }
  /** A moderator has to release the lap first. */
  | { readonly kind: 'held' }
  /** They were saved before: where the driver has no entry now, there is none to come. */
  | { readonly kind: 'past' }
  /** `canRetry` is false where the reason lies in the file. */
  | { readonly kind: 'failed'; readonly canRetry: boolean }
