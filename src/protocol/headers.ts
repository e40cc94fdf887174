/**
 * Header names are separate from the schemas, so that code that only sends and reads headers does not load the
 * schema library.
 */

/** The version of the queue that a runner has seen (runner protocol, 2.3). */
export const LAST_UPDATE_HEADER = 'x-gitlab-last-update'
export const JOB_TOKEN_HEADER = 'job-token'
/** The token of a held job (runner protocol, 12.7). */
export const HOLD_TOKEN_HEADER = 'hold-token'
/**
 * Status of the job at the coordinator. `canceled` and `failed` abort the job. `canceling` requests a graceful end.
 */
export const JOB_STATUS_HEADER = 'job-status'
/** Whole seconds that the runner waits between two trace patches. */
export const TRACE_UPDATE_INTERVAL_HEADER = 'x-gitlab-trace-update-interval'
/** As `TRACE_UPDATE_INTERVAL_HEADER`, with fractions, which takes precedence. Sent while somebody reads the log (runner protocol, 12.5). */
export const TRACE_INTERVAL_HEADER = 'x-switchyard-trace-interval'
