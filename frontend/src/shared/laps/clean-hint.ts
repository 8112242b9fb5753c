/** Explains the word "clean" and its sign. */
export const CLEAN_HINT = 'Clean: on the track all the way, without an incident or a yellow flag'
