import type { Transaction } from '../database/transaction.js'
import type { SnippetRow } from '../hosting/snippets/store.js'
import type { PlanningNoteFacts } from '../integrations/webhooks/outbox/emit-note-event.js'
import { issueSnapshot } from './issue-changes.js'
import { mergeRequestSnapshot } from './merge-request-changes.js'
import type { IssueRow } from './stores/issue-store.js'
import type { MergeRequestRow } from './stores/merge-request-store.js'

/** An object of a project whose notes and emoji webhooks receive. */
export type Hooked =
  | { type: 'Issue'; row: IssueRow }
  | { type: 'MergeRequest'; row: MergeRequestRow }
  | { type: 'Snippet'; row: SnippetRow }

/** The object as it is now, for webhooks. */
export async function hookSubject(tx: Transaction, on: Hooked): Promise<PlanningNoteFacts['on']> {
  if (on.type === 'Issue') return { issue: await issueSnapshot(tx, on.row) }
  if (on.type === 'Snippet') return { snippet: on.row }
  return { mergeRequest: await mergeRequestSnapshot(tx, on.row) }
}
