import { linkSignals } from '../../lib/link-signals.js'
import type { Logger } from '../../lib/logger.js'
import { pause, withJitter } from '../../lib/pause.js'
import { SECOND } from '../../lib/time-units.js'
import type { WantedTerminal } from '../../protocol/wanted-terminal.js'
import type { HoldClient } from '../client/coordinator-client.js'
import type { HeldJob, HoldEnd } from './held-job.js'
import { openTerminal } from './open-terminal.js'

export interface HoldLinkDeps {
  client: HoldClient
  /** Authenticates the calls. */
  token: string
  logger: Logger
  /** Milliseconds before a failed call is repeated. Doubles on each failure, up to `MAX_DELAY`. */
  firstDelay?: number
}

/** Coordinators hold a request for about 50 s. A connection that is silent for longer is dead. */
const MAX_HELD = 90 * SECOND
const MAX_DELAY = 30 * SECOND
/** Attempts to report the end of a hold. Without a report, the hold ends at the coordinator when its time is over. */
const END_TRIES = 5
/** Differences of less are those of two clocks. */
const TOLERANCE = 2 * SECOND

const END_REASONS: Record<HoldEnd, string> = {
  time: 'The time of the hold is over',
  user: 'Somebody has ended the hold of the job',
  administrator: 'The administrator of the runner has ended the hold of the job',
  disk: 'The disk of the runner is full: the hold of the job has ended',
  stopping: 'The runner stops',
  gone: 'The container of the job is gone',
}

/**
 * Keeps a coordinator and the hold of a job in step:
 *
 *     request held ── extended ──▶ the hold too ──▶ held again
 *        ├── ended, or unknown ──▶ the hold ends
 *        └── failed ──▶ again later; the hold ends at its time
 *     the hold ends ──▶ reported
 */
export async function followHold(
  { client, token, logger, firstDelay = SECOND }: HoldLinkDeps,
  held: HeldJob,
) {
  const { job } = held.view
  let revision = 1
  let failures = 0
  const opened = new Set<string>()
  const open = (wanted: WantedTerminal) => {
    if (opened.has(wanted.id)) return
    opened.add(wanted.id)
    const { interior, signal } = held
    const endReason = () => END_REASONS[held.endReason ?? 'stopping']
    void openTerminal({ client, token: { hold: token }, interior, signal, endReason, logger }, wanted)
  }
  while (!held.signal.aborted) {
    const timeout = linkSignals(held.signal, AbortSignal.timeout(MAX_HELD))
    try {
      const news = await client.waitForHold(job, token, revision, timeout.signal)
      failures = 0
      if (news === 'none') continue
      if (news === 'unknown' || news.hasEnded) {
        void held.end('user')
        break
      }
      revision = news.revision
      for (const wanted of news.terminals) open(wanted)
      const until = Date.now() + news.seconds * 1000
      if (Math.abs(until - held.view.until.getTime()) > TOLERANCE) await held.holdUntil(until)
    } catch (error) {
      failures++
      logger.debug({ err: error }, 'Changes of a hold could not be requested')
      await pause(withJitter(Math.min(firstDelay * 2 ** (failures - 1), MAX_DELAY)), held.signal)
    } finally {
      timeout.release()
    }
  }
  await held.ended
  if (held.endReason !== undefined)
    await reportEnd({ client, token, logger, firstDelay }, job, held.endReason)
}

async function reportEnd(
  { client, token, logger, firstDelay = SECOND }: HoldLinkDeps,
  job: number,
  reason: string,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await client.endHold(job, token, reason)
      return
    } catch (error) {
      if (tries >= END_TRIES) {
        logger.warn({ err: error }, 'The end of a hold could not be reported')
        return
      }
      await pause(withJitter(firstDelay * 2 ** tries))
    }
  }
}
