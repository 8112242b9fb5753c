import type { TextChannel } from '../texts/config.ts'

/** How a code travels, in the protocol's words. */
export type CodeChannel = 'email' | TextChannel
