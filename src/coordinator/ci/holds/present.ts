import { isoTime, isoTimeOrNull } from '../../http/presenters/present-time.js'
import { hasEnded } from './holds.js'
import type { Hold } from './schema.js'
import type { JobHoldRow } from './store.js'

/** A hold whose runner has vanished ends with its time. */
export function presentHold(hold: JobHoldRow, mayChange: boolean, now: number): Hold {
  const isOver = hasEnded(hold, now)
  return {
    job_id: hold.job_id,
    state: isOver ? 'ended' : 'held',
    place: hold.place,
    has_terminal: hold.has_terminal,
    since: isoTime(hold.since),
    until: isoTime(hold.until),
    latest: isoTime(hold.latest),
    ended_at: isOver ? isoTime(hold.ended_at ?? hold.until) : isoTimeOrNull(hold.ended_at),
    end_reason: isOver ? (hold.end_reason ?? 'time') : null,
    may_change: mayChange,
  }
}
