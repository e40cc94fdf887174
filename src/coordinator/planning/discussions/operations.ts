import type { Operation } from '../../http/operation.js'
import { type CommitDiscussionDeps, commitDiscussionOperations } from './commit-operations.js'
import { epicDiscussionOperations } from './epic-operations.js'
import { issueDiscussionOperations } from './issue-operations.js'
import { type DiscussionDeps, mergeRequestDiscussionOperations } from './merge-request-operations.js'

/** Discussions of issues, merge requests, epics and commits (API, G2). */
export function discussionOperations(deps: DiscussionDeps & CommitDiscussionDeps): Operation[] {
  return [
    ...issueDiscussionOperations(deps),
    ...mergeRequestDiscussionOperations(deps),
    ...epicDiscussionOperations(deps),
    ...commitDiscussionOperations(deps),
  ]
}
