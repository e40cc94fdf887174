import { messageOf } from '../../lib/errors.js'
import { pause } from '../../lib/pause.js'
import type { Executor } from './executor.js'

const PING_MILLISECONDS = 5000

/** Asks an executor whether its engine responds. One ping at a time serves all callers. */
export class EngineProblem {
  private pending: Promise<string | undefined> | undefined

  constructor(private readonly ping: () => ReturnType<Executor['ping']>) {}

  /** The problem of the engine. Undefined if it responds. */
  async find(): Promise<string | undefined> {
    this.pending ??= this.ping()
      .then(() => undefined, messageOf)
      .finally(() => (this.pending = undefined))
    const isOver = new AbortController()
    const tooLate = pause(PING_MILLISECONDS, isOver.signal).then(() => 'The engine does not respond in time.')
    try {
      return await Promise.race([this.pending, tooLate])
    } finally {
      isOver.abort()
    }
  }

  /** Must be called when the executor was replaced. */
  reset(): void {
    this.pending = undefined
  }
}
