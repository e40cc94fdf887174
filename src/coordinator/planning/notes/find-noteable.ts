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

export function issueFinder(place: CallerInProject, iid: number): NoteableFinder {
  return {
    find: async (database) => issueNotes(place, await requireIssue(database, place, iid)),
    lock: async (tx) => issueNotes(place, await lockTheIssue(tx, place, iid)),
  }
}

export function mergeRequestFinder(place: CallerInProject, iid: number): NoteableFinder {
  return {
    find: async (database) => mergeRequestNotes(place, await requireMergeRequest(database, place, iid)),
    lock: async (tx) => mergeRequestNotes(place, await lockTheMergeRequest(tx, place, iid)),
  }
}

/** A snippet is not locked: its notes change nothing of it. */
export function snippetFinder(place: CallerInProject, id: number): NoteableFinder {
  const find = async (database: Database) => snippetNotes(place, await requireSnippet(database, place, id))
  return { find, lock: find }
}

export function epicFinder(place: CallerInGroup, id: number): NoteableFinder {
  const { group } = place
  return {
    find: async (database) => ofEpic(place, await findEpicById(database, group.id, id)),
    lock: async (tx) => ofEpic(place, await lockEpic(tx, group.id, id)),
  }
}

/** A commit is not locked: nothing of it changes. Throws 404 for an unknown one. */
export function commitFinder(
  repositories: Pick<Repositories, 'resolveCommit'>,
  place: CallerInProject,
  revision: string,
): NoteableFinder {
  const find = async () => commitNotes(place, await requireCommit(repositories, place.project, revision))
  return { find, lock: find }
}

function ofEpic(place: CallerInGroup, row: EpicRow | undefined): Noteable {
  if (!row) throw notFound()
  return epicNotes(place, row)
}
