import type { SingleMergeRequest } from '../../../coordinator/planning/merge-requests/record-schema.js'

/** What the tabs of a merge request show, and what reads it again after a change. */
export interface ShownMergeRequest {
  project: string
  request: SingleMergeRequest
  reload: () => void
}
