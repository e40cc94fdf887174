import { Type } from 'typebox'

import { NoBody, type Operation, operation, respond } from '../../http/operation.js'
import { signedIn } from '../../http/viewer.js'
import { type CommandRunner, CommandsApplied } from '../commands.js'
import { commentWithCommands } from './command-notes.js'
import { issueFinder } from './find-noteable.js'
import { deleteNote, editNote, requireNote } from './note-changes.js'
import { addComment, listedNotes } from './notes.js'
import { Note, type NoteDeps, oneNote } from './present-note.js'
import { OfIssue } from './schema.js'

export interface IssueNoteDeps extends NoteDeps {
  commands: Pick<CommandRunner, 'onIssue'>
}

/** Notes of issues (API, G1). */
export function issueNoteOperations(deps: IssueNoteDeps): Operation[] {
  const { database } = deps
  return [
    operation('GET /projects/:id/issues/:issue_iid/notes', {
      summary: 'List the notes of an issue',
      access: 'read_issues',
      params: OfIssue.list,
      responses: { 200: Type.Array(Note) },
      paginated: true,
      run: async (call) =>
        listedNotes(
          deps,
          await issueFinder(call, call.params.issue_iid).find(database),
          call.params,
          call.paging,
        ),
    }),
    operation('GET /projects/:id/issues/:issue_iid/notes/:note_id', {
      summary: 'Get a note of an issue',
      access: 'read_issues',
      params: OfIssue.one,
      responses: { 200: Note },
      run: async (call) => {
        const on = await issueFinder(call, call.params.issue_iid).find(database)
        return oneNote(deps, on, await requireNote(database, on, call.params.note_id))
      },
    }),
    operation('POST /projects/:id/issues/:issue_iid/notes', {
      summary: 'Comment on an issue',
      access: 'read_issues',
      params: OfIssue.create,
      responses: { 201: Note, 202: CommandsApplied },
      run: async (call) => {
        const { issue_iid, ...comment } = call.params
        const finder = issueFinder(call, issue_iid)
        return commentWithCommands(deps, finder, signedIn(call.user), comment, {
          add: (text, user) => addComment(deps, finder.lock, user, text),
          run: (commands) => deps.commands.onIssue(call, issue_iid, commands),
        })
      },
    }),
    operation('PUT /projects/:id/issues/:issue_iid/notes/:note_id', {
      summary: 'Update a note of an issue',
      access: 'read_issues',
      params: OfIssue.edit,
      responses: { 200: Note },
      run: async (call) => {
        const { issue_iid, note_id, body } = call.params
        const { lock } = issueFinder(call, issue_iid)
        const row = await editNote(database, lock, signedIn(call.user), note_id, body)
        return oneNote(deps, await issueFinder(call, issue_iid).find(database), row)
      },
    }),
    operation('DELETE /projects/:id/issues/:issue_iid/notes/:note_id', {
      summary: 'Delete a note of an issue',
      access: 'read_issues',
      params: OfIssue.one,
      responses: { 204: NoBody },
      modifiedAt: async (call) => {
        const on = await issueFinder(call, call.params.issue_iid).find(database)
        return (await requireNote(database, on, call.params.note_id)).updated_at
      },
      run: async (call) => {
        const { issue_iid, note_id } = call.params
        const { lock } = issueFinder(call, issue_iid)
        await deleteNote(database, lock, signedIn(call.user), note_id)
        return respond(204)
      },
    }),
  ]
}
