import type { Operation } from '../../http/operation.js'
import { epicNoteOperations } from './epic-operations.js'
import { issueNoteOperations } from './issue-operations.js'
import { type MergeRequestNoteDeps, mergeRequestNoteOperations } from './merge-request-operations.js'
import { snippetNoteOperations } from './snippet-operations.js'

/** Notes of issues, merge requests, epics and snippets (API, G1). */
export function noteOperations(deps: MergeRequestNoteDeps): Operation[] {
  return [
    ...issueNoteOperations(deps),
    ...mergeRequestNoteOperations(deps),
    ...epicNoteOperations(deps),
    ...snippetNoteOperations(deps),
  ]
}
