import { Type } from 'typebox'

import { NoBody, type Operation, operation, respond } from '../../../http/operation.js'
import { page } from '../../../http/page.js'
import { signedIn } from '../../../http/viewer.js'
import { requireMergeRequest } from '../../access/merge-request-access.js'
import { listStatusChecks, statusesOfChecks } from '../../stores/status-check-store.js'
import { type PresentDeps, presentMergeRequests } from '../present.js'
import { createCheck, deleteCheck, editCheck, requireCheck, type StatusCheckDeps } from './checks.js'
import { presentChecks, presentStatuses, shownToDevelopers } from './present.js'
import { type Responded, respondToCheck, retryCheck } from './responses.js'
import {
  Accepted,
  CheckOfMergeRequest,
  CreateStatusCheck,
  EditStatusCheck,
  OfMergeRequest,
  OneStatusCheck,
  RespondToCheck,
  RetryCheck,
  StatusCheck,
  StatusCheckResponse,
} from './schema.js'

type Deps = StatusCheckDeps & PresentDeps

/** Services that check merge requests (API, F4). */
export function statusCheckOperations(deps: Deps): Operation[] {
  return [...operationsOfProject(deps), ...operationsOfMergeRequest(deps)]
}

function operationsOfProject(deps: Deps): Operation[] {
  const { database } = deps
  return [
    operation('GET /projects/:id/external_status_checks', {
      summary: 'List the external status checks of a project',
      access: 'admin_project',
      responses: { 200: Type.Array(StatusCheck) },
      paginated: true,
      run: async ({ project, paging }) => {
        const { rows, total } = await listStatusChecks(database, project.id, paging)
        return page(await presentChecks(deps, rows), total)
      },
    }),
    operation('POST /projects/:id/external_status_checks', {
      summary: 'Create an external status check of a project',
      access: 'admin_project',
      params: CreateStatusCheck,
      responses: { 201: StatusCheck },
      run: async ({ project, params }) =>
        (await presentChecks(deps, [await createCheck(deps, project, params)]))[0],
    }),
    operation('PUT /projects/:id/external_status_checks/:check_id', {
      summary: 'Update an external status check of a project',
      access: 'admin_project',
      params: EditStatusCheck,
      responses: { 200: StatusCheck },
      run: async ({ project, params }) =>
        (await presentChecks(deps, [await editCheck(deps, project, params)]))[0],
    }),
    operation('DELETE /projects/:id/external_status_checks/:check_id', {
      summary: 'Delete an external status check of a project',
      access: 'admin_project',
      params: OneStatusCheck,
      responses: { 204: NoBody },
      modifiedAt: async ({ project, params }) =>
        (await requireCheck(database, project, params.check_id)).updated_at,
      run: async ({ project, params }) => {
        await deleteCheck(database, project, params.check_id)
        return respond(204)
      },
    }),
  ]
}

function operationsOfMergeRequest(deps: Deps): Operation[] {
  const { database } = deps
  return [
    operation('GET /projects/:id/merge_requests/:merge_request_iid/status_checks', {
      summary: 'List the external status checks of a merge request',
      access: 'manage_merge_requests',
      params: OfMergeRequest,
      responses: { 200: Type.Array(CheckOfMergeRequest) },
      run: async (call) => {
        const row = await requireMergeRequest(database, call, call.params.merge_request_iid)
        return presentStatuses(deps, (await statusesOfChecks(database, [row])).get(row.id) ?? [])
      },
    }),
    operation('POST /projects/:id/merge_requests/:merge_request_iid/status_check_responses', {
      summary: 'Set the status of an external status check of a merge request',
      access: 'manage_merge_requests',
      params: RespondToCheck,
      responses: { 201: StatusCheckResponse },
      run: async (call) => presentResponse(deps, await respondToCheck(database, call, call.params)),
    }),
    operation(
      'POST /projects/:id/merge_requests/:merge_request_iid/status_checks/:external_status_check_id/retry',
      {
        summary: 'Retry a failed external status check of a merge request',
        access: 'manage_merge_requests',
        params: RetryCheck,
        responses: { 202: Accepted },
        run: async (call) => {
          const { merge_request_iid: iid, external_status_check_id: id } = call.params
          await retryCheck(deps, { ...call, user: signedIn(call.user) }, { iid, id })
          return { message: '202 Accepted' }
        },
      },
    ),
  ]
}

async function presentResponse(deps: Deps, { response, row, check, status }: Responded) {
  const [merge_request] = await presentMergeRequests(deps, [row])
  const [external_status_check] = (await presentChecks(deps, [check])).map(shownToDevelopers)
  return { id: response.id, merge_request, external_status_check, status }
}
