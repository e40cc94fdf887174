import { deferred } from '../../../lib/deferred.js'
import { untilAborted } from '../../../lib/until-aborted.js'
import { WINDOW_BYTES } from '../protocol/messages.js'

/** Limits the bytes that the other side has not acknowledged yet. */
export class SendWindow {
  private unacknowledged = 0
  private changed = deferred()

  constructor(private readonly signal: AbortSignal) {}

  /** Resolves when `bytes` more may be sent. Throws the reason of the signal. */
  async take(bytes: number): Promise<void> {
    await this.until(() => this.unacknowledged === 0 || this.unacknowledged + bytes <= WINDOW_BYTES)
    this.unacknowledged += bytes
  }

  acknowledge(bytes: number): void {
    this.unacknowledged -= bytes
    this.changed.resolve()
  }

  /** Resolves when everything is acknowledged. Throws the reason of the signal. */
  async empty(): Promise<void> {
    await this.until(() => this.unacknowledged <= 0)
  }

  private async until(isReached: () => boolean): Promise<void> {
    this.signal.throwIfAborted()
    while (!isReached()) {
      this.changed = deferred()
      await untilAborted(this.changed.promise, this.signal)
    }
  }
}
