import { Type } from 'typebox'

import { readingFor } from '../../hosting/repositories/reading-for.js'
import type { Repositories } from '../../hosting/repositories/repositories.js'
import { type Call, NoBody, type Operation, operation, respond } from '../../http/operation.js'
import { page } from '../../http/page.js'
import { signedIn } from '../../http/viewer.js'
import { type Author, createDraft, deleteDraft, draftsIn, editDraft, requireDraft } from './drafts.js'
import { presentDraft } from './present.js'
import { type PublishDeps, publishDrafts } from './publish.js'
import { CreateDraft, DraftNote, EditDraft, OfDrafts, OneDraft } from './schema.js'
import { listDrafts } from './store.js'

interface DraftNoteDeps extends PublishDeps {
  repositories: Pick<Repositories, 'readFile' | 'reading'>
}

/** Comments on merge requests that their authors write and publish later (API, G2). */
export function draftNoteOperations(deps: DraftNoteDeps): Operation[] {
  const { database } = deps
  return [
    operation('GET /projects/:id/merge_requests/:merge_request_iid/draft_notes', {
      summary: 'List the own draft notes of a merge request',
      access: 'read_merge_requests',
      params: OfDrafts,
      responses: { 200: Type.Array(DraftNote) },
      paginated: true,
      run: async (call) => {
        const of = await draftsIn(database, authorOf(call), call.params.merge_request_iid)
        const { rows, total } = await listDrafts(database, of, call.paging)
        return page(rows.map(presentDraft), total)
      },
    }),
    operation('GET /projects/:id/merge_requests/:merge_request_iid/draft_notes/:draft_note_id', {
      summary: 'Get an own draft note of a merge request',
      access: 'read_merge_requests',
      params: OneDraft,
      responses: { 200: DraftNote },
      run: async (call) => {
        const of = await draftsIn(database, authorOf(call), call.params.merge_request_iid)
        return presentDraft(await requireDraft(database, of, call.params.draft_note_id))
      },
    }),
    ...changingOperations(deps),
    ...publishingOperations(deps),
  ]
}

function changingOperations(deps: DraftNoteDeps): Operation[] {
  const { database } = deps
  return [
    operation('POST /projects/:id/merge_requests/:merge_request_iid/draft_notes', {
      summary: 'Create a draft note of a merge request',
      access: 'read_merge_requests',
      params: CreateDraft,
      responses: { 201: DraftNote },
      run: async (call) =>
        presentDraft(await createDraft(deps, readingFor(deps, call), authorOf(call), call.params)),
    }),
    operation('PUT /projects/:id/merge_requests/:merge_request_iid/draft_notes/:draft_note_id', {
      summary: 'Update a draft note of a merge request',
      access: 'read_merge_requests',
      params: EditDraft,
      responses: { 200: DraftNote },
      run: async (call) =>
        presentDraft(await editDraft(deps, readingFor(deps, call), authorOf(call), call.params)),
    }),
    operation('DELETE /projects/:id/merge_requests/:merge_request_iid/draft_notes/:draft_note_id', {
      summary: 'Delete a draft note of a merge request',
      access: 'read_merge_requests',
      params: OneDraft,
      responses: { 204: NoBody },
      modifiedAt: async (call) => {
        const of = await draftsIn(database, authorOf(call), call.params.merge_request_iid)
        return (await requireDraft(database, of, call.params.draft_note_id)).updated_at
      },
      run: async (call) => {
        const { merge_request_iid, draft_note_id } = call.params
        await deleteDraft(database, authorOf(call), merge_request_iid, draft_note_id)
        return respond(204)
      },
    }),
  ]
}

function publishingOperations(deps: DraftNoteDeps): Operation[] {
  return [
    operation('PUT /projects/:id/merge_requests/:merge_request_iid/draft_notes/:draft_note_id/publish', {
      summary: 'Publish a draft note of a merge request',
      access: 'read_merge_requests',
      params: OneDraft,
      responses: { 200: DraftNote },
      run: async (call) => {
        const { merge_request_iid: iid, draft_note_id: id } = call.params
        const rows = await publishDrafts(deps, readingFor(deps, call), authorOf(call), { iid, id })
        return rows.map(presentDraft)[0]
      },
    }),
    operation('POST /projects/:id/merge_requests/:merge_request_iid/draft_notes/bulk_publish', {
      summary: 'Publish all own draft notes of a merge request',
      access: 'read_merge_requests',
      params: OfDrafts,
      responses: { 204: NoBody },
      run: async (call) => {
        const iid = call.params.merge_request_iid
        await publishDrafts(deps, readingFor(deps, call), authorOf(call), { iid })
        return respond(204)
      },
    }),
  ]
}

/** Throws 401 without a user. */
function authorOf(call: Call<'read_merge_requests', unknown>): Author {
  return { ...call, user: signedIn(call.user) }
}
