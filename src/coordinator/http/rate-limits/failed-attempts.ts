import type { SharedCounts } from './shared-counts.js'
import { type Usage, Windows } from './windows.js'

/**
 * Counts failures by subject. Each failure is written to a counter that all coordinators share, which returns
 * the total; the last known total is kept here. A client that changes coordinators therefore has at most one
 * extra attempt per coordinator, and a request that succeeds needs no query.
 */
export class FailedAttempts {
  private readonly known: Windows

  /** Without `shared`, of this process alone. */
  constructor(
    milliseconds: number,
    now: () => number = Date.now,
    private readonly shared?: SharedCounts,
  ) {
    this.known = new Windows(milliseconds, now)
  }

  /** The total, as far as this coordinator knows. */
  of(subject: string): Usage {
    return this.known.of(subject)
  }

  /**
   * Counts an attempt before its result is known, so that concurrent attempts do not bypass the limit. `fail` or
   * `reset` must follow.
   */
  begin(subject: string): void {
    this.known.add(subject)
  }

  /** The started attempt has failed. */
  async fail(subject: string): Promise<void> {
    if (!this.shared) return
    const { resetAt } = this.known.of(subject)
    this.known.raise(subject, await this.shared.add(subject, resetAt))
  }

  /** The started attempt has succeeded: earlier failures no longer count. */
  async reset(subject: string): Promise<void> {
    const { observed } = this.known.of(subject)
    this.known.delete(subject)
    if (observed > 1) await this.shared?.delete(subject)
  }
}
