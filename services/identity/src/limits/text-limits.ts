import type { Trx } from '../database.ts'
import type { TextCosts } from '../texts/config.ts'
import { type Count, type Counter, HOUR_MS, refuseAbove } from './counter.ts'
import type { Requester } from './mail-limits.ts'

const DAY_MS = 24 * HOUR_MS

export interface TextLimits {
  /**
   * Counts a requested text, as part of a change. Throws `too_many_requests` above the limits of the requester
   * and of the deployment, which are the same for every number.
   *
   * @returns null, or the whole seconds after which the number can get another text
   */
  countText(trx: Trx, text: { number: string; requester: Requester }, now: Date): Promise<number | null>
}

/**
 * Limits texts, because each costs money: strangers can request them for numbers that pay them. Strangers share
 * the limits of a number. They cannot use up those of its owner's networks and browsers.
 */
export function createTextLimits(counter: Pick<Counter, 'count'>, costs: TextCosts): TextLimits {
  return {
    async countText(trx, { number, requester }, at) {
      const whose = requester.isKnown ? requester.key : 'strangers'
      const count = (bucket: string, windowMs: number) => counter.count(trx, bucket, at, windowMs)
      // In this order in every change, to prevent deadlocks.
      const spaced = await count(`text spaced ${number} ${whose}`, costs.intervalMs)
      if (spaced.count > 1) return secondsLeft(spaced, at)
      const daily = await count(`text daily ${number} ${whose}`, DAY_MS)
      if (daily.count > costs.perNumberAndDay) return secondsLeft(daily, at)
      const requested = await count(`text requested ${requester.key}`, HOUR_MS)
      refuseAbove(costs.perNetworkAndHour, requested, 'too_many_requests', at)
      refuseAbove(costs.perDay, await count('text total', DAY_MS), 'too_many_requests', at)
      return null
    },
  }
}

function secondsLeft({ window_ends_at }: Count, at: Date): number {
  return Math.max(1, Math.ceil((window_ends_at.getTime() - at.getTime()) / 1_000))
}
