import type { User } from '../../access/caller.js'
import type { Transaction } from '../../database/transaction.js'
import { recordReferences } from '../system-notes/reference-notes.js'
import { type Noticed, noticeMentions } from './add-todos.js'

/**
 * What follows from a text of an issue or a merge request that `author` has written: to-do items of the users whom it
 * mentions, and notes on the issues and merge requests that it names. `before` is the text that it replaces.
 */
export async function followText(
  tx: Transaction,
  target: Noticed,
  author: Pick<User, 'id'>,
  texts: { before?: string | null; after: string | null },
): Promise<void> {
  await noticeMentions(tx, target, author, texts)
  await recordReferences(tx, target, author, texts)
}
