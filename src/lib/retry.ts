import { pause, withJitter } from './pause.js'

export interface RetryOptions {
  /** Total number of attempts, including the first. */
  attempts: number
  /** Milliseconds before the second attempt. Doubles after each further one. */
  delay: number
  maximumDelay: number
  isWorthRetrying: (error: unknown) => boolean
  signal?: AbortSignal
}

/** Calls `action` until it succeeds. Throws its last error if it is not worth retrying or no attempts are left. */
export async function retry<T>(action: (attempt: number) => Promise<T>, options: RetryOptions): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await action(attempt)
    } catch (error) {
      const isLast = attempt >= options.attempts || options.signal?.aborted
      if (isLast || !options.isWorthRetrying(error)) throw error
      await pause(
        withJitter(Math.min(options.delay * 2 ** (attempt - 1), options.maximumDelay)),
        options.signal,
      )
    }
  }
}
