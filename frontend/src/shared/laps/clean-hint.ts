/** What makes a lap clean, for who wonders at the word or at its sign. */
export const CLEAN_HINT = 'Clean: on the track all the way, without an incident or a yellow flag'
