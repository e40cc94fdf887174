import type { Selectable } from 'kysely'

import type { AwardEmojiTable } from '../../../database/tables/award-emoji.js'
import type { NoteTable } from '../../../database/tables/notes.js'
import type { Transaction } from '../../../database/transaction.js'
import { hooksOfProject } from '../hook-store.js'
import { isConfidentialOn, type PlanningNoteFacts } from './emit-note-event.js'
import { storeEvents } from './outbox.js'

/** The object of an emoji: an issue, a merge request or a snippet, or a note on one of them. */
export interface EmojiSubject {
  on: PlanningNoteFacts['on']
  note?: Selectable<NoteTable>
}

/** An emoji after it was given, or before it is revoked. */
export interface EmojiFacts extends EmojiSubject {
  award: Selectable<AwardEmojiTable>
  action: 'award' | 'revoke'
  /** The user who gave or revoked it. */
  userId: number
}

/**
 * Emits an emoji event to the hooks of the project when `tx` commits (API, K3). One on something confidential reaches
 * only hooks that receive the confidential events too. `describe` is not called without subscribed hooks.
 */
export async function emitEmojiEvent(
  tx: Transaction,
  projectId: number,
  change: Pick<EmojiFacts, 'award' | 'action' | 'userId'>,
  describe: () => Promise<EmojiSubject>,
): Promise<void> {
  const trigger = 'emoji_events'
  const subscribed = (await hooksOfProject(tx, projectId)).filter((hook) => hook[trigger])
  if (subscribed.length === 0) return
  const facts: EmojiFacts = { ...change, ...(await describe()) }
  const hooks = subscribed.filter((hook) => mayReceive(hook, facts))
  await storeEvents(tx, [{ projectId, trigger, kind: 'emoji', facts, hooks }])
}

function mayReceive(
  hook: { confidential_issues_events: boolean; confidential_note_events: boolean },
  { on, note }: EmojiFacts,
): boolean {
  if (!isConfidentialOn(on) && !note?.internal) return true
  return note ? hook.confidential_note_events : hook.confidential_issues_events
}
