import { updateProject } from '../../../database/stores/project-store.js'
import { inTransaction } from '../../../database/transaction.js'
import { NoBody, type Operation, operation, respond } from '../../../http/operation.js'
import { signedIn } from '../../../http/viewer.js'
import { lockTheMergeRequest, requireMergeRequest } from '../../access/merge-request-access.js'
import type { PresentDeps } from '../present.js'
import { resetApprovals } from '../record-approval.js'
import { ByIid } from '../schema.js'
import type { ApprovalDeps } from './approval-deps.js'
import { approvalRecord, approve, unapprove } from './approvals.js'
import { approvalRuleOperations } from './rule-operations.js'
import { Approvals, ApprovalSettings, approvalSettingsOf, Approve, SetApprovalSettings } from './schema.js'

/** Approvals of merge requests (API, F4). */
export function approvalOperations(deps: ApprovalDeps): Operation[] {
  const { database } = deps
  return [
    operation('GET /projects/:id/merge_requests/:merge_request_iid/approvals', {
      summary: 'Get the approvals of a merge request',
      access: 'read_merge_requests',
      params: ByIid,
      responses: { 200: Approvals },
      run: async (call) =>
        approvalRecord(deps, call, await requireMergeRequest(database, call, call.params.merge_request_iid)),
    }),
    operation('POST /projects/:id/merge_requests/:merge_request_iid/approve', {
      summary: 'Approve a merge request',
      access: 'read_merge_requests',
      params: Approve,
      responses: { 201: Approvals },
      run: async (call) => {
        const { merge_request_iid: iid, sha } = call.params
        const row = await approve(database, { ...call, user: signedIn(call.user) }, { iid, sha })
        return approvalRecord(deps, call, row)
      },
    }),
    operation('POST /projects/:id/merge_requests/:merge_request_iid/unapprove', {
      summary: 'Take back the own approval of a merge request',
      access: 'read_merge_requests',
      params: ByIid,
      responses: { 201: Approvals },
      run: async (call) => {
        const caller = { ...call, user: signedIn(call.user) }
        return approvalRecord(deps, call, await unapprove(database, caller, call.params.merge_request_iid))
      },
    }),
    operation('PUT /projects/:id/merge_requests/:merge_request_iid/reset_approvals', {
      summary: 'Remove all approvals of a merge request',
      access: 'manage_merge_requests',
      params: ByIid,
      responses: { 202: NoBody },
      run: async (call) => {
        const { project } = call
        const user = signedIn(call.user)
        await inTransaction(database, async (tx) => {
          const row = await lockTheMergeRequest(tx, call, call.params.merge_request_iid)
          await resetApprovals(tx, { project, user }, row)
        })
        return respond(202)
      },
    }),
    ...settingOperations(deps),
    ...approvalRuleOperations(deps),
  ]
}

function settingOperations({ database }: PresentDeps): Operation[] {
  return [
    operation('GET /projects/:id/approvals', {
      summary: 'Get what a project requires of approvals',
      access: 'read_merge_requests',
      responses: { 200: ApprovalSettings },
      run: ({ project }) => Promise.resolve(approvalSettingsOf(project)),
    }),
    operation('POST /projects/:id/approvals', {
      summary: 'Change what a project requires of approvals',
      access: 'admin_project',
      params: SetApprovalSettings,
      atLeastOne: [Object.keys(SetApprovalSettings.properties)],
      responses: { 201: ApprovalSettings },
      run: async ({ project, params }) =>
        approvalSettingsOf(await updateProject(database, project.id, params)),
    }),
  ]
}
