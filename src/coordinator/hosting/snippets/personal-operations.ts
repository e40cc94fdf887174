import { Type } from 'typebox'

import type { User } from '../../access/caller.js'
import { isSeenPersonally } from '../../access/snippet-visibility.js'
import { clientGone } from '../../http/client-gone.js'
import { forbidden } from '../../http/errors.js'
import { NoBody, type Operation, operation, respond } from '../../http/operation.js'
import { type Page, page, type Paging } from '../../http/page.js'
import { UserAgentDetail } from '../../http/presenters/user-agent-detail.js'
import { viewerOf } from '../../http/viewer.js'
import { presentShownSnippet, presentSnippet, presentSnippets, rawSnippet } from './present.js'
import {
  CreateSnippet,
  EditPersonal,
  FileOfPersonal,
  ListPersonal,
  Personal,
  Raw,
  ShowPersonal,
  Snippet,
} from './schema.js'
import { checkMayEdit, createSnippet, deleteSnippet, editSnippet, type SnippetDeps } from './snippets.js'
import { listSnippets, type SnippetFilter } from './store.js'
import { requirePersonalSnippet } from './visible-snippets.js'

/** Snippets of users (API, G6). */
export function personalSnippetOperations(deps: SnippetDeps): Operation[] {
  const { database } = deps
  return [
    operation('GET /snippets', {
      summary: 'List the personal snippets of the current user',
      access: 'user',
      params: ListPersonal,
      responses: { 200: Type.Array(Snippet) },
      paginated: true,
      run: ({ user, params, paging }) => listed(deps, { ...params, author_id: user.id }, user, paging),
    }),
    operation('GET /snippets/public', {
      summary: 'List public personal snippets',
      access: 'user',
      params: ListPersonal,
      responses: { 200: Type.Array(Snippet) },
      paginated: true,
      run: ({ user, params, paging }) => listed(deps, { ...params, visibility: 'public' }, user, paging),
    }),
    operation('GET /snippets/all', {
      summary: 'List all personal snippets that the current user sees',
      access: 'user',
      params: ListPersonal,
      responses: { 200: Type.Array(Snippet) },
      paginated: true,
      run: ({ user, params, paging }) => listed(deps, params, user, paging),
    }),
    operation('POST /snippets', {
      summary: 'Create a personal snippet',
      access: 'user',
      params: CreateSnippet,
      responses: { 201: Snippet },
      run: async ({ user, params, request, reply }) => {
        const origin = { project: undefined, userAgent: request.headers['user-agent'], address: request.ip }
        return presentSnippet(
          deps,
          await createSnippet(deps, user, params, origin, clientGone(reply)),
          undefined,
        )
      },
    }),
    operation('GET /snippets/:id', {
      summary: 'Get a personal snippet',
      access: 'anyone',
      params: ShowPersonal,
      responses: { 200: Snippet },
      run: async ({ caller, params }) => {
        const row = await requirePersonalSnippet(database, viewerOf(caller), params.id)
        return presentShownSnippet(deps, row, undefined, params)
      },
    }),
    operation('PUT /snippets/:id', {
      summary: 'Change a personal snippet',
      access: 'user',
      params: EditPersonal,
      atLeastOne: [['title', 'file_name', 'content', 'files', 'description', 'visibility']],
      responses: { 200: Snippet },
      run: async ({ user, params: { id, ...changes }, reply }) => {
        const row = await requirePersonalSnippet(database, user, id)
        checkMayEdit(user, row, false)
        return presentSnippet(deps, await editSnippet(deps, user, row, changes, clientGone(reply)), undefined)
      },
    }),
    operation('DELETE /snippets/:id', {
      summary: 'Delete a personal snippet',
      access: 'user',
      params: Personal,
      responses: { 204: NoBody },
      modifiedAt: async ({ user, params }) =>
        (await requirePersonalSnippet(database, user, params.id)).updated_at,
      run: async ({ user, params }) => {
        const row = await requirePersonalSnippet(database, user, params.id)
        checkMayEdit(user, row, false)
        await deleteSnippet(deps, row)
        return respond(204)
      },
    }),
    operation('GET /snippets/:id/raw', {
      summary: 'Get the content of a personal snippet',
      access: 'anyone',
      params: Personal,
      responses: { 200: Raw },
      run: async ({ caller, params, reply }) => {
        const row = await requirePersonalSnippet(database, viewerOf(caller), params.id)
        return rawSnippet(deps, row, undefined, clientGone(reply))
      },
    }),
    operation('GET /snippets/:id/files/:ref/:file_path/raw', {
      summary: 'Get the content of a file of a personal snippet',
      access: 'anyone',
      params: FileOfPersonal,
      responses: { 200: Raw },
      run: async ({ caller, params: { id, ref, file_path: path }, reply }) => {
        const row = await requirePersonalSnippet(database, viewerOf(caller), id)
        return rawSnippet(deps, row, { path, ref }, clientGone(reply))
      },
    }),
    operation('GET /snippets/:id/user_agent_detail', {
      summary: 'Get the program and the address from which a personal snippet was created',
      access: 'user',
      params: Personal,
      responses: { 200: UserAgentDetail },
      run: async ({ user, params }) => {
        const { user_agent, ip_address } = await requirePersonalSnippet(database, user, params.id)
        if (!user.is_admin) throw forbidden()
        return { user_agent, ip_address, akismet_submitted: false }
      },
    }),
  ]
}

async function listed(deps: SnippetDeps, filter: SnippetFilter, user: User, paging: Paging): Promise<Page> {
  const personal = { ...filter, project_id: null }
  const { rows, total } = await listSnippets(deps.database, personal, isSeenPersonally(user), paging)
  return page(await presentSnippets(deps, rows), total)
}
