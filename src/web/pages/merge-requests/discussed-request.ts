import type { SingleMergeRequest } from '../../../coordinator/planning/merge-requests/record-schema.js'
import type { Discussed } from '../../discussion/discussed.js'

/** A merge request as the subject of discussions. */
export function discussedRequest(
  project: string,
  { iid, id, author, discussion_locked }: SingleMergeRequest,
): Discussed {
  return {
    project,
    kind: 'merge_requests',
    iid,
    id,
    authorId: author?.id ?? null,
    isLocked: discussion_locked === true,
  }
}
