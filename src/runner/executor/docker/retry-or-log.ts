import { messageOf } from '../../../lib/errors.js'
import type { Logger } from '../../../lib/logger.js'
import { retry } from '../../../lib/retry.js'

export interface RetryPolicy {
  attempts: number
  logger: Logger
  /** Fields for the log that identify the object. */
  about: Record<string, string>
  problem: string
}

/**
 * Runs an operation of the engine and retries it if that may help. If it still fails, the error is logged and
 * ignored.
 */
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
