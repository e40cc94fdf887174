import { messageOf } from '../../lib/errors.js'
import { pause } from '../../lib/pause.js'
import type { Executor } from './executor.js'

const PING_MILLISECONDS = 5000

/** Asks an executor whether its engine responds. One ping at a time serves all callers. */
export class EngineProblem {
  private pending: Promise<string | undefined> | undefined

  constructor(private readonly ping: (signal: AbortSignal) => ReturnType<Executor['ping']>) {}

  /** The problem of the engine. Undefined if it responds. */
  async find(): Promise<string | undefined> {
    if (this.pending) return await this.pending
    const asking = this.ask()
    this.pending = asking
    try {
      return await asking
    } finally {
      if (this.pending === asking) this.pending = undefined
    }
  }

  /** Must be called when the executor was replaced. */
  reset(): void {
    this.pending = undefined
  }

  /** A ping without a response ends, so that the next one gets a connection of its own. */
  private async ask(): Promise<string | undefined> {
    const isAnswered = new AbortController()
    const isTooLate = new AbortController()
    const tooLate = pause(PING_MILLISECONDS, isAnswered.signal).then(() => {
      if (!isAnswered.signal.aborted) isTooLate.abort()
      return 'The engine does not respond in time.'
    })
    try {
      return await Promise.race([this.ping(isTooLate.signal).then(() => undefined, messageOf), tooLate])
    } finally {
      isAnswered.abort()
    }
  }
}
