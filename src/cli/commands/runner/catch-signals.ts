import { EXIT_CODES } from '../../../error-catalogue/exit-codes.js'
import { messageOf } from '../../../lib/errors.js'
import type { Logger } from '../../../lib/logger.js'
import type { Daemon } from '../../../runner/daemon.js'
import type { Runner } from '../../../runner/runner.js'

/** The objects that signals control. */
type Obedient = { runner: Runner } & Partial<Pick<Daemon, 'reload'>>

type RunnerSignal = 'SIGQUIT' | 'SIGTERM' | 'SIGINT' | 'SIGHUP'
const SIGNALS: readonly RunnerSignal[] = ['SIGQUIT', 'SIGTERM', 'SIGINT', 'SIGHUP']

export interface CaughtSignals {
  /** Aborts when the start must be canceled: on SIGTERM and SIGINT before `obey` is called. */
  readonly starting: AbortSignal
  /** From now on, signals control `obedient`, including those that arrived before. */
  obey(obedient: Obedient, logger: Logger): void
  /** Restores the default handling of signals. */
  release(): void
}

/**
 * Keeps signals from ending the process, until `release` is called on the result:
 *
 *     start ─ SIGTERM, SIGINT ─▶ the start is canceled        start ─ SIGQUIT, SIGHUP ─▶ kept until the runner has started
 */
export function catchSignals(): CaughtSignals {
  const starting = new AbortController()
  const kept: RunnerSignal[] = []
  let isEnding = false
  let obey: ((signal: RunnerSignal) => void) | undefined
  const onSignal = (signal: RunnerSignal) => {
    if (signal === 'SIGINT' && isEnding) process.exit(EXIT_CODES.failed.code)
    isEnding ||= signal === 'SIGINT'
    if (obey) {
      obey(signal)
      return
    }
    kept.push(signal)
    if (signal === 'SIGTERM' || signal === 'SIGINT') starting.abort(new Error(`${signal} during the start`))
  }
  for (const signal of SIGNALS) process.on(signal, onSignal)
  return {
    starting: starting.signal,
    obey: (obedient, logger) => {
      obey = obeyedBy(obedient, logger)
      kept.splice(0).forEach(obey)
    },
    release: () => SIGNALS.forEach((signal) => process.off(signal, onSignal)),
  }
}

function obeyedBy({ runner, reload }: Obedient, logger: Logger): (signal: RunnerSignal) => void {
  const handlers: Record<RunnerSignal, () => void> = {
    SIGQUIT: () => void runner.stopGracefully(),
    SIGTERM: () => void runner.leave().then(() => process.exit(0)),
    SIGINT: () => {
      // The name of the signal in job logs (runner protocol, 6.3).
      runner.stopNow('interrupt').catch((error: unknown) => {
        process.stderr.write(`${messageOf(error)}\n`)
        process.exit(EXIT_CODES.failed.code)
      })
    },
    SIGHUP: () => {
      if (!reload) {
        logger.warn('SIGHUP: there is no settings file to reload')
        return
      }
      logger.info('SIGHUP: reloading the settings')
      void reload()
    },
  }
  return (signal) => handlers[signal]()
}

/** Runs `work`, which may end early because its start was canceled. */
export async function unlessAbandoned(
  { starting }: CaughtSignals,
  logger: Logger,
  work: () => Promise<void>,
): Promise<void> {
  const say = () => logger.info(`${messageOf(starting.reason)}: the start is canceled`)
  starting.addEventListener('abort', say, { once: true })
  try {
    await work()
  } catch (error) {
    if (!starting.aborted || error !== starting.reason) throw error
    logger.info('Runner stopped')
  }
}
