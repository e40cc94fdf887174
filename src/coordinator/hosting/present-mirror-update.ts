import { isoTimeOrNull } from '../http/presenters/present-time.js'

interface MirrorUpdate<Status> {
  update_status: Status
  last_error: string | null
  /** Milliseconds since 1970, as the others. */
  last_update_at: number | null
  last_update_started_at: number | null
  last_successful_update_at: number | null
}

/** The fields of the last update that mirrors in both directions have. */
export function presentMirrorUpdate<Status>(row: MirrorUpdate<Status>) {
  return {
    update_status: row.update_status,
    last_error: row.last_error,
    last_update_at: isoTimeOrNull(row.last_update_at),
    last_update_started_at: isoTimeOrNull(row.last_update_started_at),
    last_successful_update_at: isoTimeOrNull(row.last_successful_update_at),
  }
}
