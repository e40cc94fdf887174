import { Type } from 'typebox'

import type { Repositories } from '../../hosting/repositories/repositories.js'
import { requireCommit } from '../../hosting/repositories/revisions.js'
import { clientGone } from '../../http/client-gone.js'
import { NoBody, type Operation, operation, respond } from '../../http/operation.js'
import { signedIn } from '../../http/viewer.js'
import { commitFinder } from '../notes/find-noteable.js'
import { deleteNote, editNote } from '../notes/note-changes.js'
import { Note, type NoteDeps, oneNote } from '../notes/present-note.js'
import { listedDiscussions, noteIn, oneDiscussion, reply, startDiscussion } from './discussions.js'
import { checkCommitPosition } from './position.js'
import { Discussion, OfCommit } from './schema.js'

export interface CommitDiscussionDeps extends NoteDeps {
  repositories: Pick<Repositories, 'reading' | 'readFile' | 'resolveCommit'>
}

/** Discussions of commits, also of lines of their diffs (API, G2). */
export function commitDiscussionOperations(deps: CommitDiscussionDeps): Operation[] {
  const { database, repositories } = deps
  return [
    operation('GET /projects/:id/repository/commits/:sha/discussions', {
      summary: 'List the discussions of a commit',
      access: 'read_code',
      params: OfCommit.list,
      responses: { 200: Type.Array(Discussion) },
      paginated: true,
      run: async (call) => {
        const { find } = commitFinder(repositories, call, call.params.sha)
        return listedDiscussions(deps, await find(database), call.paging)
      },
    }),
    operation('GET /projects/:id/repository/commits/:sha/discussions/:discussion_id', {
      summary: 'Get a discussion of a commit',
      access: 'read_code',
      params: OfCommit.one,
      responses: { 200: Discussion },
      run: async (call) => {
        const { find } = commitFinder(repositories, call, call.params.sha)
        return oneDiscussion(deps, await find(database), call.params.discussion_id)
      },
    }),
    operation('POST /projects/:id/repository/commits/:sha/discussions', {
      summary: 'Start a discussion of a commit',
      access: 'read_code',
      params: OfCommit.create,
      responses: { 201: Discussion },
      run: async (call) => {
        const { sha, body, created_at: createdAt, position } = call.params
        const { project, reply } = call
        const finder = commitFinder(repositories, call, sha)
        const commit = { projectId: project.id, sha: await requireCommit(repositories, project, sha) }
        const reading = repositories.reading(project.id, clientGone(reply))
        const checked = position && (await checkCommitPosition(repositories, reading, commit, position))
        return startDiscussion(deps, finder, signedIn(call.user), { body, createdAt }, checked)
      },
    }),
    operation('GET /projects/:id/repository/commits/:sha/discussions/:discussion_id/notes', {
      summary: 'List the notes of a discussion of a commit',
      access: 'read_code',
      params: OfCommit.one,
      responses: { 200: Type.Array(Note) },
      run: async (call) => {
        const { find } = commitFinder(repositories, call, call.params.sha)
        return (await oneDiscussion(deps, await find(database), call.params.discussion_id)).notes
      },
    }),
    operation('GET /projects/:id/repository/commits/:sha/discussions/:discussion_id/notes/:note_id', {
      summary: 'Get a note of a discussion of a commit',
      access: 'read_code',
      params: OfCommit.note,
      responses: { 200: Note },
      run: async (call) => {
        const on = await commitFinder(repositories, call, call.params.sha).find(database)
        return oneNote(deps, on, await noteIn(database, on, call.params))
      },
    }),
    operation('POST /projects/:id/repository/commits/:sha/discussions/:discussion_id/notes', {
      summary: 'Reply to a discussion of a commit',
      access: 'read_code',
      params: OfCommit.reply,
      responses: { 201: Note },
      run: async (call) => {
        const { sha, discussion_id, body, created_at: createdAt } = call.params
        const finder = commitFinder(repositories, call, sha)
        const row = await reply(database, finder, signedIn(call.user), { discussion_id, body, createdAt })
        return oneNote(deps, await finder.find(database), row)
      },
    }),
    operation('PUT /projects/:id/repository/commits/:sha/discussions/:discussion_id/notes/:note_id', {
      summary: 'Update a note of a discussion of a commit',
      access: 'read_code',
      params: OfCommit.edit,
      responses: { 200: Note },
      run: async (call) => {
        const finder = commitFinder(repositories, call, call.params.sha)
        await noteIn(database, await finder.find(database), call.params)
        const { note_id, body } = call.params
        const row = await editNote(database, finder.lock, signedIn(call.user), note_id, body)
        return oneNote(deps, await finder.find(database), row)
      },
    }),
    operation('DELETE /projects/:id/repository/commits/:sha/discussions/:discussion_id/notes/:note_id', {
      summary: 'Delete a note of a discussion of a commit',
      access: 'read_code',
      params: OfCommit.note,
      responses: { 204: NoBody },
      modifiedAt: async (call) => {
        const on = await commitFinder(repositories, call, call.params.sha).find(database)
        return (await noteIn(database, on, call.params)).updated_at
      },
      run: async (call) => {
        const finder = commitFinder(repositories, call, call.params.sha)
        await noteIn(database, await finder.find(database), call.params)
        await deleteNote(database, finder.lock, signedIn(call.user), call.params.note_id)
        return respond(204)
      },
    }),
  ]
}
