import type { Database } from '../../database/connect.js'
import type { Transaction } from '../../database/transaction.js'
import type { Repositories } from '../../hosting/repositories/repositories.js'
import { requireCommit } from '../../hosting/repositories/revisions.js'
import { requireSnippet } from '../../hosting/snippets/visible-snippets.js'
import { notFound } from '../../http/errors.js'
import { type CallerInProject, lockTheIssue, requireIssue } from '../access/issue-access.js'
import { lockTheMergeRequest, requireMergeRequest } from '../access/merge-request-access.js'
import { type EpicRow, findEpicById, lockEpic } from '../stores/epic-store.js'
import {
  type CallerInGroup,
  commitNotes,
  epicNotes,
  issueNotes,
  mergeRequestNotes,
  type Noteable,
  snippetNotes,
} from './noteable.js'

/** How an operation finds what has the notes: to read them, or locked to change them. Throws 404 for an unknown one. */
export interface NoteableFinder {
  find: (database: Database) => Promise<Noteable>
  lock: (tx: Transaction) => Promise<Noteable>
}

export function issueFinder(caller: CallerInProject, iid: number): NoteableFinder {
  return {
    find: async (database) => issueNotes(caller, await requireIssue(database, caller, iid)),
    lock: async (tx) => issueNotes(caller, await lockTheIssue(tx, caller, iid)),
  }
}

export function mergeRequestFinder(caller: CallerInProject, iid: number): NoteableFinder {
  return {
    find: async (database) => mergeRequestNotes(caller, await requireMergeRequest(database, caller, iid)),
    lock: async (tx) => mergeRequestNotes(caller, await lockTheMergeRequest(tx, caller, iid)),
  }
}

/** A snippet is not locked: its notes change nothing of it. */
export function snippetFinder(caller: CallerInProject, id: number): NoteableFinder {
  const find = async (database: Database) => snippetNotes(caller, await requireSnippet(database, caller, id))
  return { find, lock: find }
}

export function epicFinder(caller: CallerInGroup, id: number): NoteableFinder {
  const { group } = caller
  return {
    find: async (database) => ofEpic(caller, await findEpicById(database, group.id, id)),
    lock: async (tx) => ofEpic(caller, await lockEpic(tx, group.id, id)),
  }
}

/** A commit is not locked: nothing of it changes. Throws 404 for an unknown one. */
export function commitFinder(
  repositories: Pick<Repositories, 'resolveCommit'>,
  caller: CallerInProject,
  revision: string,
): NoteableFinder {
  const find = async () => commitNotes(caller, await requireCommit(repositories, caller.project, revision))
  return { find, lock: find }
}

function ofEpic(caller: CallerInGroup, row: EpicRow | undefined): Noteable {
  if (!row) throw notFound()
  return epicNotes(caller, row)
}
