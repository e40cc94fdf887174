import type { Operation } from '../../http/operation.js'
import { epicNoteAwardOperations } from './epic-note-operations.js'
import { issueNoteAwardOperations } from './issue-note-operations.js'
import { issueAwardOperations } from './issue-operations.js'
import { mergeRequestNoteAwardOperations } from './merge-request-note-operations.js'
import { mergeRequestAwardOperations } from './merge-request-operations.js'
import type { AwardDeps } from './present.js'
import { snippetNoteAwardOperations } from './snippet-note-operations.js'
import { snippetAwardOperations } from './snippet-operations.js'

/** Emoji of issues, merge requests and snippets, and of notes (API, G5). */
export function awardEmojiOperations(deps: AwardDeps): Operation[] {
  return [
    ...issueAwardOperations(deps),
    ...mergeRequestAwardOperations(deps),
    ...issueNoteAwardOperations(deps),
    ...mergeRequestNoteAwardOperations(deps),
    ...epicNoteAwardOperations(deps),
    ...snippetAwardOperations(deps),
    ...snippetNoteAwardOperations(deps),
  ]
}
