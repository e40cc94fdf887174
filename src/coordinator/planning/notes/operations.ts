import type { Operation } from '../../http/operation.js'
import type { NoteDeps } from '../present-note.js'
import { epicNoteOperations } from './epic-operations.js'
import { issueNoteOperations } from './issue-operations.js'
import { mergeRequestNoteOperations } from './merge-request-operations.js'

/** Notes of issues, merge requests and epics (API, G1). */
export function noteOperations(deps: NoteDeps): Operation[] {
  return [...issueNoteOperations(deps), ...mergeRequestNoteOperations(deps), ...epicNoteOperations(deps)]
}
