import type { Caller } from '../access/caller.js'

/** A served request, for the log and the metrics. */
export interface ServedRequest {
  id: string
  method: string
  /** The pattern of the path: as a label of metrics, each path would be a series, and it may hold a credential. */
  route: string
  status: number
  milliseconds: number
  /** Undefined if the request was served without authentication. */
  caller?: Caller | undefined
}
