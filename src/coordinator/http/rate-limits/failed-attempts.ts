import type { SharedCounts } from './shared-counts.js'
import { type Usage, Windows } from './windows.js'

/**
 * Counts failures by subject. Each is written to what all coordinators share, which answers how many there are everywhere;
 * what is known of that is kept here. So whoever goes from one coordinator to the next has one try at each beyond the
 * limit, and a request that does not fail costs no query.
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

  /** As far as it is known here. */
  of(subject: string): Usage {
    return this.known.of(subject)
  }

  /** Counts one before it is known how it ends: of many at once none is free. `fail` or `reset` follows. */
  begin(subject: string): void {
    this.known.add(subject)
  }

  /** What was begun has failed. */
  async fail(subject: string): Promise<void> {
    if (!this.shared) return
    const { resetAt } = this.known.of(subject)
    this.known.raise(subject, await this.shared.add(subject, resetAt))
  }

  /** What was begun has succeeded: earlier failures do not count any more. */
  async reset(subject: string): Promise<void> {
    const { observed } = this.known.of(subject)
    this.known.delete(subject)
    if (observed > 1) await this.shared?.delete(subject)
  }
}
