import type { Operation } from '../../http/operation.js'
import { type CommitDiscussionDeps, commitDiscussionOperations } from './commit-operations.js'
import { epicDiscussionOperations } from './epic-operations.js'
import { issueDiscussionOperations } from './issue-operations.js'
import { type DiscussionDeps, mergeRequestDiscussionOperations } from './merge-request-operations.js'
import { snippetDiscussionOperations } from './snippet-operations.js'

/** Discussions of issues, merge requests, epics, snippets and commits (API, G2). */
export function discussionOperations(deps: DiscussionDeps & CommitDiscussionDeps): Operation[] {
  return [
    ...issueDiscussionOperations(deps),
    ...mergeRequestDiscussionOperations(deps),
    ...epicDiscussionOperations(deps),
    ...snippetDiscussionOperations(deps),
    ...commitDiscussionOperations(deps),
  ]
}
