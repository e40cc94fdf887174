import type { Logger } from '../../lib/logger.js'
import { pause, withJitter } from '../../lib/pause.js'

/** Something that is done again and again while the coordinator runs; each turn finds what there is to do in the store. */
export interface Duty {
  name: string
  /** Seconds from the end of one turn to the next. */
  every: number
  /** A long one ends early when `signal` aborts. */
  turn: (signal: AbortSignal) => Promise<unknown>
}

/** Ends when `signal` aborts and the turn under way is over. A turn that fails is logged, and made again later. */
export async function performDuty(duty: Duty, signal: AbortSignal, logger: Logger): Promise<void> {
  while (!signal.aborted) {
    try {
      await duty.turn(signal)
    } catch (error) {
      logger.error({ err: error, duty: duty.name }, 'A periodic duty failed and will be tried again')
    }
    await pause(withJitter(duty.every * 1000), signal)
  }
}
