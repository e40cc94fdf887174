import { TRACE_INTERVAL_HEADER, TRACE_UPDATE_INTERVAL_HEADER } from '../../../../protocol/headers.js'

/** Seconds between two patches of a runner while somebody reads the trace; other runners know whole seconds only. */
const READ_INTERVAL = '0.2'
const READ_WHOLE_INTERVAL = '1'
const UNREAD_INTERVAL = '3'

/** The time that a runner should wait between two patches. */
export function traceIntervalHeaders(isRead: boolean): Record<string, string> {
  if (!isRead) return { [TRACE_UPDATE_INTERVAL_HEADER]: UNREAD_INTERVAL }
  return { [TRACE_UPDATE_INTERVAL_HEADER]: READ_WHOLE_INTERVAL, [TRACE_INTERVAL_HEADER]: READ_INTERVAL }
}
