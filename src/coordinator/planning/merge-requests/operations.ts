import type { Repositories } from '../../hosting/repositories/repositories.js'
import { accessIn } from '../../http/handle-operation.js'
import { NoBody, type Operation, operation, respond } from '../../http/operation.js'
import { signedIn } from '../../http/viewer.js'
import { requireMergeRequest } from '../access/merge-request-access.js'
import { type CommandRunner, withoutCommands } from '../commands.js'
import type { TextRenderer } from '../render-text.js'
import { type CreateDeps, createMergeRequest } from './create.js'
import { divergedCommits } from './diverged-commits.js'
import { deleteMergeRequest, editMergeRequest } from './edit.js'
import { mergeRequestListOperations } from './list-operations.js'
import { milestoneMergeRequestOperations } from './milestone-operations.js'
import { peopleOperations } from './people-operations.js'
import type { PresentDeps } from './present.js'
import { SingleMergeRequest } from './record-schema.js'
import { requestMissingOwners } from './required-owners.js'
import { ByIid, CHANGES, CreateMergeRequest, EditMergeRequest, GetMergeRequest } from './schema.js'
import { singleMergeRequest } from './single-record.js'
import { mergeRequestTimeOperations } from './time-operations.js'

export type MergeRequestDeps = PresentDeps &
  CreateDeps & {
    commands: CommandRunner
    repositories: Pick<Repositories, 'resolveRef' | 'withSlot' | 'path'>
    rendererFor: TextRenderer
  }

/** Merge requests of projects (API, F3 and F4). */
export function mergeRequestOperations(deps: MergeRequestDeps): Operation[] {
  return [
    ...mergeRequestListOperations(deps),
    ...recordOperations(deps),
    ...milestoneMergeRequestOperations(deps),
    ...peopleOperations(deps),
    ...mergeRequestTimeOperations(deps),
  ]
}

function recordOperations(deps: MergeRequestDeps): Operation[] {
  const { database } = deps
  return [
    operation('GET /projects/:id/merge_requests/:merge_request_iid', {
      summary: 'Get a merge request',
      access: 'read_merge_requests',
      jobToken: true,
      params: GetMergeRequest,
      responses: { 200: SingleMergeRequest },
      run: async (call) => {
        const { merge_request_iid, include_diverged_commits_count, ...options } = call.params
        const row = await requireMergeRequest(database, call, merge_request_iid)
        await requestMissingOwners(database, row)
        const { project: context, user } = call
        const single = await singleMergeRequest(deps, row, call, options)
        const record = options.render_html
          ? { ...single, description_html: await deps.rendererFor({ context, user })(row.description ?? '') }
          : single
        if (!include_diverged_commits_count) return record
        return { ...record, diverged_commits_count: await divergedCommits(deps.repositories, row) }
      },
    }),
    operation('POST /projects/:id/merge_requests', {
      summary: 'Create a merge request',
      access: 'create_merge_requests',
      params: CreateMergeRequest,
      responses: { 201: SingleMergeRequest },
      run: async (call) => {
        const user = signedIn(call.user)
        const { params, commands } = withoutCommands(call.params)
        const row = await createMergeRequest(deps, { ...call, user }, params)
        const project =
          row.project_id === call.project.id ? call.project : await deps.findProject(String(row.project_id))
        const caller = project
          ? { project, user, ...(await accessIn(deps, user, project)) }
          : { ...call, user }
        if (commands.length > 0) await deps.commands.onMergeRequest(caller, row.iid, commands)
        const now = commands.length > 0 ? await requireMergeRequest(database, caller, row.iid) : row
        return singleMergeRequest(deps, now, caller)
      },
    }),
    operation('PUT /projects/:id/merge_requests/:merge_request_iid', {
      summary: 'Update, close or reopen a merge request',
      // Authors and assignees change their own merge requests; `editMergeRequest` decides.
      access: 'read_merge_requests',
      params: EditMergeRequest,
      atLeastOne: [CHANGES],
      responses: { 200: SingleMergeRequest },
      run: async (call) => {
        const caller = { ...call, user: signedIn(call.user) }
        const { params, commands } = withoutCommands(call.params)
        const row = await editMergeRequest(deps, caller, params)
        if (commands.length > 0) await deps.commands.onMergeRequest(caller, row.iid, commands)
        const now = commands.length > 0 ? await requireMergeRequest(database, caller, row.iid) : row
        return singleMergeRequest(deps, now, caller)
      },
    }),
    operation('DELETE /projects/:id/merge_requests/:merge_request_iid', {
      summary: 'Delete a merge request',
      access: 'delete_merge_requests',
      params: ByIid,
      responses: { 204: NoBody },
      modifiedAt: async (call) =>
        (await requireMergeRequest(database, call, call.params.merge_request_iid)).updated_at,
      run: async (call) => {
        await deleteMergeRequest(deps, call, call.params.merge_request_iid)
        return respond(204)
      },
    }),
  ]
}
