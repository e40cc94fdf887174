import type { Operation } from '../../http/operation.js'
import { epicDiscussionOperations } from './epic-operations.js'
import { issueDiscussionOperations } from './issue-operations.js'
import { type DiscussionDeps, mergeRequestDiscussionOperations } from './merge-request-operations.js'

/** Discussions of issues, merge requests and epics (API, G2). */
export function discussionOperations(deps: DiscussionDeps): Operation[] {
  return [
    ...issueDiscussionOperations(deps),
    ...mergeRequestDiscussionOperations(deps),
    ...epicDiscussionOperations(deps),
  ]
}
