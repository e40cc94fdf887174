import { Gate } from '../../lib/gate.js'
import type { Logger } from '../../lib/logger.js'
import { pause, withJitter } from '../../lib/pause.js'
import type { Executor } from './executor.js'

/** Milliseconds between two attempts to reach an engine that is away. */
const FIRST_PAUSE = 500
const MAX_PAUSE = 30_000
/** An engine that hangs keeps its connections, so it is asked as well. */
const CHECK_INTERVAL = 10_000
/** Between the end of a connection and the next one. */
const RECONNECT_PAUSE = 250

export interface EngineWatchOptions {
  /** The current executor. */
  executor: () => Pick<Executor, 'connected' | 'disconnected' | 'isResting'>
  /** The problem of the engine. Undefined if it responds. */
  problem: () => Promise<string | undefined>
  /** What follows from a problem, and from its end, as sentences for the log. */
  effects: { ofProblem: string; ofEnd: string }
  /** Called when the gate was closed or opened. */
  onChange?: () => void
  logger: () => Logger
}

/**
 * Watches an engine, so that it gets no jobs while they would fail:
 *
 *     no response: gate closed, open job requests aborted ◀─▶ response: gate open, until the connection ends
 */
export class EngineWatch {
  readonly gate = new Gate('the engine has not responded yet')
  private round = new AbortController()

  constructor(private readonly options: EngineWatchOptions) {}

  /** Watches until `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    let failures = 0
    let wasConnected = false
    while (!signal.aborted) {
      const problem = await this.options.problem()
      this.record(problem, failures === 0)
      failures = problem === undefined ? 0 : failures + 1
      if (problem === undefined) {
        if (wasConnected) await pause(RECONNECT_PAUSE, signal)
        await this.untilTrouble(signal)
      } else {
        await this.untilRetry(withJitter(Math.min(FIRST_PAUSE * 2 ** (failures - 1), MAX_PAUSE)), signal)
      }
      wasConnected = problem === undefined
    }
  }

  /** Must be called when the executor was replaced: its engine may be another one. */
  restart(): void {
    this.round.abort()
  }

  private record(problem: string | undefined, isFirst: boolean): void {
    const { gate, options } = this
    const logger = options.logger()
    if (problem !== undefined) {
      gate.close(problem)
      const isResting = options.executor().isResting ?? false
      if (isResting) logger.debug(problem)
      else if (isFirst) logger.error(`${problem} ${options.effects.ofProblem}`)
    } else if (gate.reason !== undefined) {
      if (!isFirst) logger.info(options.effects.ofEnd)
      gate.open()
    }
    options.onChange?.()
  }

  /** Resolves after the pause, or when the executor reports that its engine may respond again. */
  private async untilRetry(milliseconds: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    const executor = this.options.executor()
    const round = new AbortController()
    const end = () => round.abort()
    signal.addEventListener('abort', end)
    try {
      const ends = [pause(milliseconds, round.signal)]
      if (executor.connected) ends.push(executor.connected(round.signal))
      await Promise.race(ends)
    } finally {
      end()
      signal.removeEventListener('abort', end)
    }
  }

  /** Resolves when the engine may have gone, or was replaced. */
  private async untilTrouble(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    const round = new AbortController()
    this.round = round
    const end = () => round.abort()
    signal.addEventListener('abort', end)
    try {
      const connection = this.options.executor().disconnected(round.signal).then(end)
      do await pause(CHECK_INTERVAL, round.signal)
      while ((await this.options.problem()) === undefined && !round.signal.aborted)
      end()
      await connection
    } finally {
      signal.removeEventListener('abort', end)
    }
  }
}
