import { messageOf } from '../../../lib/errors.js'
import type { Logger } from '../../../lib/logger.js'
import { retry } from '../../../lib/retry.js'

export interface RetryPolicy {
  attempts: number
  logger: Logger
  /** What it was about, for the log. */
  about: Record<string, string>
  problem: string
}

/** Has the engine do something, again if need be; what does not work in the end is logged and left. */
export async function retryOrLog(
  action: () => Promise<void>,
  { attempts, logger, about, problem }: RetryPolicy,
): Promise<void> {
  try {
    await retry(action, { attempts, delay: 500, maximumDelay: 5000, isWorthRetrying: () => true })
  } catch (error) {
    logger.error({ ...about, error: messageOf(error) }, problem)
  }
}
