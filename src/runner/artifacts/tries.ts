/**
 * Counts the tries of one transfer. A coordinator that gives no answer at all is being restarted or cannot be reached:
 * it is waited for, because a job that is done must not fail for that. One that answers with a refusal is asked a few
 * times only.
 */
export class Tries {
  private failures = 0
  private silentSince: number | undefined

  /** `patience`: milliseconds of silence that do not count. */
  constructor(private readonly patience: number) {}

  /** Notes a try that failed; whether there is to be another, when a coordinator that answers gets `attempts`. */
  mayTryAgain(wasAnswered: boolean, attempts: number, now = Date.now()): boolean {
    this.silentSince = wasAnswered ? undefined : (this.silentSince ?? now)
    if (this.silentSince !== undefined && now - this.silentSince < this.patience) return true
    this.failures++
    return this.failures < attempts
  }
}
