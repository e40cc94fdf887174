import { MINUTE, SECOND } from '../../../../lib/time-units.js'
import { HEARTBEAT, type HeartbeatTimes } from './exec/heartbeat.js'

/** Milliseconds. */
export interface ClusterTimes {
  /** Until the response of a call. */
  call: number
  /** After which the API server ends a watch. */
  watch: number
  /**
   * Without a byte of a watch, after which its connection is taken for dead. API servers send a bookmark each minute; with one that sends
   * none, the watch is merely begun again.
   */
  watchSilence: number
  /** Before a watch that was cut begins again. Doubles after each further failure. */
  watchPause: number
  /**
   * That a new pod has waited before the warnings of its namespace are read: a pod whose images are on its node runs earlier, and costs
   * nothing.
   */
  eventDelay: number
  heartbeat: HeartbeatTimes
}

export const CLUSTER_TIMES: ClusterTimes = {
  call: 30 * SECOND,
  watch: 8 * MINUTE,
  watchSilence: 2.5 * MINUTE,
  watchPause: SECOND / 2,
  eventDelay: 5 * SECOND,
  heartbeat: HEARTBEAT,
}
