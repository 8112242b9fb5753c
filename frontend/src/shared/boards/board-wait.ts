/** What a board can expect of the loaded file. */
export type BoardWait =
  | { readonly kind: 'nothing' }
  /** It is the sample session, whose laps are on no board. */
  | { readonly kind: 'never' }
  /** Its laps are on their way. `sinceMs` is when the server had the file; null before. */
  | { readonly kind: 'coming'; readonly sinceMs: number | null }
  /** The server has judged them, so the driver's entry should be there. */
  | { readonly kind: 'due'; readonly sinceMs: number }
  /** A moderator has to release the lap first. */
  | { readonly kind: 'held' }
  /** They were saved before. If the driver has no entry now, none will come. */
  | { readonly kind: 'past' }
  /** `canRetry` is false if the reason lies in the file. */
  | { readonly kind: 'failed'; readonly canRetry: boolean }
