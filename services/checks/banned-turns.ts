/** Turns of phrase that need a second reading, each with the plain word for it. */
export const BANNED_TURNS: readonly BannedTurn[] = [
  { pattern: /\bwho(?:m)?ever\b/i, better: 'name the person or client: "a driver who", "the client that"' },
  { pattern: /\b(?:of|to|in|for|from|by|with) whom\b/i, better: 'a second sentence, or "that … from"' },
  { pattern: /\bsomebody's\b/i, better: 'name the owner: "another driver\'s"' },
  {
    pattern: /\b(?:is|are|was|were|be|been|being|gets?) told\b/i,
    better: '"receives", "gets", "is notified"',
  },
  { pattern: /\btells? of\b/i, better: '"reports", "shows"' },
  { pattern: /\bstands?(?!-|ards?|ing)\b/i, better: '"is", "exists", "stays", "is valid"' },
  {
    pattern:
      /\bwhere (?:there|it|they|one|none|nobody|nothing) (?:is|are|has|have|was|were|can|cannot|could|does|do|did|may|must|would)\b/i,
    better: '"if" for a condition, "when" for a time',
  },
  { pattern: /\b(?:where|there|here)(?:by|in|of|upon|to|with)\b/i, better: 'a second sentence' },
  {
    pattern: /\b(?:hence|whence|thence|thus|lest|unto|upon|nought|anew|amid|withal)\b/i,
    better: '"so", "from", "on", "zero", "again"',
  },
  { pattern: /\bin vain\b/i, better: '"without success", "and timed out"' },
  { pattern: /\bat once\b/i, better: '"immediately", or "at the same time"' },
  { pattern: /\bfor good\b/i, better: '"permanently"' },
  { pattern: /\bmay not\b/i, better: '"must not", or "might not"' },
  { pattern: /\band the like\b/i, better: '"and similar"' },
  { pattern: /\bof the kind\b/i, better: '"such", or name it' },
  { pattern: /\bby and by\b/i, better: '"over time"' },
  { pattern: /\bdo(?:es)? without\b/i, better: '"does not need", "works without"' },
  { pattern: /\bmakes? do with\b/i, better: '"uses"' },
  { pattern: /\bhas? it that\b/i, better: '"says that"' },
]

export interface BannedTurn {
  readonly pattern: RegExp
  /** What to write instead. */
  readonly better: string
}
