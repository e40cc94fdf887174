import { Type } from 'typebox'

import { may } from '../../access/access.js'
import type { User } from '../../access/caller.js'
import { clientGone } from '../../http/client-gone.js'
import { forbidden, notFound } from '../../http/errors.js'
import { NoBody, type Operation, operation, respond } from '../../http/operation.js'
import { page } from '../../http/page.js'
import { UserAgentDetail } from '../../http/presenters/user-agent-detail.js'
import { signedIn } from '../../http/viewer.js'
import { presentShownSnippet, presentSnippet, presentSnippets, rawSnippet } from './present.js'
import {
  CreateSnippet,
  EditOfProject,
  FileOfProject,
  OfProject,
  Raw,
  ShowOfProject,
  Snippet,
} from './schema.js'
import { checkMayEdit, createSnippet, deleteSnippet, editSnippet, type SnippetDeps } from './snippets.js'
import { listSnippets, type SnippetRow } from './store.js'
import { type CallerInProject, isSeenBy, requireSnippet } from './visible-snippets.js'

/** Snippets of projects (API, G6). */
export function projectSnippetOperations(deps: SnippetDeps): Operation[] {
  const { database } = deps
  return [
    operation('GET /projects/:id/snippets', {
      summary: 'List the snippets of a project',
      access: 'read_snippets',
      responses: { 200: Type.Array(Snippet) },
      paginated: true,
      run: async (call) => {
        const { rows, total } = await listSnippets(
          database,
          { project_id: call.project.id },
          isSeenBy(call),
          call.paging,
        )
        return page(await presentSnippets(deps, rows), total)
      },
    }),
    operation('GET /projects/:id/snippets/:snippet_id', {
      summary: 'Get a snippet of a project',
      access: 'read_snippets',
      params: ShowOfProject,
      responses: { 200: Snippet },
      run: async (call) => {
        const row = await requireSnippet(database, call, call.params.snippet_id)
        return presentShownSnippet(deps, row, call.project, call.params)
      },
    }),
    operation('POST /projects/:id/snippets', {
      summary: 'Create a snippet in a project',
      access: 'create_snippets',
      params: CreateSnippet,
      responses: { 201: Snippet },
      run: async ({ project, user, params, request, reply }) => {
        const origin = { project, userAgent: request.headers['user-agent'], address: request.ip }
        const row = await createSnippet(deps, signedIn(user), params, origin, clientGone(reply))
        return presentSnippet(deps, row, project)
      },
    }),
    operation('PUT /projects/:id/snippets/:snippet_id', {
      summary: 'Change a snippet of a project',
      access: 'read_snippets',
      params: EditOfProject,
      atLeastOne: [['title', 'file_name', 'content', 'files', 'description', 'visibility']],
      responses: { 200: Snippet },
      run: async (call) => {
        const { snippet_id, ...changes } = call.params
        const { user, row } = await editable(deps, call, snippet_id)
        const edited = await editSnippet(deps, user, row, changes, clientGone(call.reply))
        return presentSnippet(deps, edited, call.project)
      },
    }),
    operation('DELETE /projects/:id/snippets/:snippet_id', {
      summary: 'Delete a snippet of a project',
      access: 'read_snippets',
      params: OfProject,
      responses: { 204: NoBody },
      modifiedAt: async (call) => (await requireSnippet(database, call, call.params.snippet_id)).updated_at,
      run: async (call) => {
        const { row } = await editable(deps, call, call.params.snippet_id)
        await deleteSnippet(deps, row)
        return respond(204)
      },
    }),
    operation('GET /projects/:id/snippets/:snippet_id/raw', {
      summary: 'Get the content of a snippet of a project',
      access: 'read_snippets',
      params: OfProject,
      responses: { 200: Raw },
      run: async (call) => {
        const row = await requireSnippet(database, call, call.params.snippet_id)
        return rawSnippet(deps, row, undefined, clientGone(call.reply))
      },
    }),
    operation('GET /projects/:id/snippets/:snippet_id/files/:ref/:file_path/raw', {
      summary: 'Get the content of a file of a snippet of a project',
      access: 'read_snippets',
      params: FileOfProject,
      responses: { 200: Raw },
      run: async (call) => {
        const { snippet_id, ref, file_path: path } = call.params
        const row = await requireSnippet(database, call, snippet_id)
        return rawSnippet(deps, row, { path, ref }, clientGone(call.reply))
      },
    }),
    operation('GET /projects/:id/snippets/:snippet_id/user_agent_detail', {
      summary: 'Get the program and the address from which a snippet was created',
      access: 'read_snippets',
      params: OfProject,
      responses: { 200: UserAgentDetail },
      run: async (call) => {
        const user = signedIn(call.user)
        const { user_agent, ip_address } = await requireSnippet(database, call, call.params.snippet_id)
        if (!user.is_admin) throw forbidden()
        return { user_agent, ip_address, akismet_submitted: false }
      },
    }),
  ]
}

async function editable(
  { database }: SnippetDeps,
  caller: CallerInProject,
  id: number,
): Promise<{ user: User; row: SnippetRow }> {
  if (!caller.user) throw notFound('Snippet')
  const row = await requireSnippet(database, caller, id)
  checkMayEdit(caller.user, row, may('admin_project', caller))
  return { user: caller.user, row }
}
