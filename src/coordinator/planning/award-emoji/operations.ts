import type { Operation } from '../../http/operation.js'
import { issueAwardOperations } from './issue-operations.js'
import { mergeRequestAwardOperations } from './merge-request-operations.js'
import type { AwardDeps } from './present.js'

/** Emoji of issues and merge requests (API, G5). */
export function awardEmojiOperations(deps: AwardDeps): Operation[] {
  return [...issueAwardOperations(deps), ...mergeRequestAwardOperations(deps)]
}
