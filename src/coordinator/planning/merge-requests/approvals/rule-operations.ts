import { Type } from 'typebox'

import { findProject } from '../../../hosting/repositories/store.js'
import { notFound } from '../../../http/errors.js'
import { NoBody, type Operation, operation, respond } from '../../../http/operation.js'
import { signedIn } from '../../../http/viewer.js'
import type { CallerInProject } from '../../access/issue-access.js'
import { requireMergeRequest } from '../../access/merge-request-access.js'
import { ByIid } from '../schema.js'
import type { ApprovalDeps } from './approval-deps.js'
import { approvalState, mergeRequestRules } from './approval-state.js'
import {
  createMergeRequestRule,
  deleteMergeRequestRule,
  editMergeRequestRule,
} from './merge-request-rules.js'
import { presentProjectRules } from './present-rules.js'
import {
  createProjectRule,
  deleteProjectRule,
  editProjectRule,
  projectRules,
  requireProjectRule,
} from './project-rules.js'
import {
  ApprovalState,
  EditMergeRequestRule,
  EditProjectRule,
  MergeRequestRule,
  MergeRequestRuleId,
  NewMergeRequestRule,
  NewProjectRule,
  ProjectRule,
  RuleId,
} from './rule-schema.js'

/** Approval rules of projects and of merge requests, and how far they are (API, F4). */
export function approvalRuleOperations(deps: ApprovalDeps): Operation[] {
  return [...ofProject(deps), ...ofMergeRequest(deps), ...changesOfMergeRequest(deps)]
}

const ATTRIBUTES = [
  ...['name', 'approvals_required', 'users', 'groups', 'protected_branches'],
  'applies_to_all_protected_branches',
]

function ofProject(deps: ApprovalDeps): Operation[] {
  const { database } = deps
  return [
    operation('GET /projects/:id/approval_rules', {
      summary: 'List the approval rules of a project',
      access: 'read_merge_requests',
      responses: { 200: Type.Array(ProjectRule) },
      run: async ({ project, user }) =>
        presentProjectRules(deps, { project, viewer: user }, await projectRules(database, project)),
    }),
    operation('GET /projects/:id/approval_rules/:approval_rule_id', {
      summary: 'Get an approval rule of a project',
      access: 'read_merge_requests',
      params: RuleId,
      responses: { 200: ProjectRule },
      run: async (call) => projectRuleRecord(deps, call, call.params.approval_rule_id),
    }),
    operation('POST /projects/:id/approval_rules', {
      summary: 'Create an approval rule of a project',
      access: 'admin_project',
      params: NewProjectRule,
      responses: { 201: ProjectRule },
      run: async (call) => {
        const { project, user, params } = call
        return projectRuleRecord(
          deps,
          call,
          await createProjectRule(database, { project, viewer: user }, params),
        )
      },
    }),
    operation('PUT /projects/:id/approval_rules/:approval_rule_id', {
      summary: 'Update an approval rule of a project',
      access: 'admin_project',
      params: EditProjectRule,
      changes: {
        attributes: ATTRIBUTES,
        before: (call) => projectRuleRecord(deps, call, call.params.approval_rule_id),
      },
      responses: { 200: ProjectRule },
      run: async (call) => {
        const { project, user, params } = call
        return projectRuleRecord(
          deps,
          call,
          await editProjectRule(database, { project, viewer: user }, params),
        )
      },
    }),
    operation('DELETE /projects/:id/approval_rules/:approval_rule_id', {
      summary: 'Delete an approval rule of a project',
      access: 'admin_project',
      params: RuleId,
      responses: { 204: NoBody },
      run: async ({ project, params }) => {
        await deleteProjectRule(database, project, params.approval_rule_id)
        return respond(204)
      },
    }),
  ]
}

/** The number of the rule `any_approver` is in the project, which the request may have changed. */
async function projectRuleRecord(
  deps: ApprovalDeps,
  { project, user }: Pick<CallerInProject, 'project' | 'user'>,
  id: number,
): Promise<ProjectRule> {
  const { database } = deps
  const rule = await requireProjectRule(database, project, id)
  const now = await findProject(database, project.id)
  const [record] = await presentProjectRules(deps, { project: now ?? project, viewer: user }, [rule])
  if (!record) throw new Error(`The approval rule ${id} has no record`)
  return record
}

function ofMergeRequest(deps: ApprovalDeps): Operation[] {
  const { database } = deps
  return [
    operation('GET /projects/:id/merge_requests/:merge_request_iid/approval_state', {
      summary: 'Get the approval rules of a merge request with their approvals',
      access: 'read_merge_requests',
      params: ByIid,
      responses: { 200: ApprovalState },
      run: async (call) =>
        approvalState(deps, call, await requireMergeRequest(database, call, call.params.merge_request_iid)),
    }),
    operation('GET /projects/:id/merge_requests/:merge_request_iid/approval_rules', {
      summary: 'List the approval rules of a merge request',
      access: 'read_merge_requests',
      params: ByIid,
      responses: { 200: Type.Array(MergeRequestRule) },
      run: async (call) =>
        mergeRequestRules(
          deps,
          call,
          await requireMergeRequest(database, call, call.params.merge_request_iid),
        ),
    }),
    operation('GET /projects/:id/merge_requests/:merge_request_iid/approval_rules/:approval_rule_id', {
      summary: 'Get an approval rule of a merge request',
      access: 'read_merge_requests',
      params: MergeRequestRuleId,
      responses: { 200: MergeRequestRule },
      run: async (call) => mergeRequestRuleRecord(deps, call, call.params),
    }),
  ]
}

function changesOfMergeRequest(deps: ApprovalDeps): Operation[] {
  const { database } = deps
  return [
    operation('POST /projects/:id/merge_requests/:merge_request_iid/approval_rules', {
      summary: 'Create an approval rule of a merge request',
      access: 'manage_merge_requests',
      params: NewMergeRequestRule,
      responses: { 201: MergeRequestRule },
      run: async (call) => {
        const { project, user, params } = call
        const approval_rule_id = await createMergeRequestRule(
          database,
          { project, viewer: signedIn(user) },
          params,
        )
        return mergeRequestRuleRecord(deps, call, { ...params, approval_rule_id })
      },
    }),
    operation('PUT /projects/:id/merge_requests/:merge_request_iid/approval_rules/:approval_rule_id', {
      summary: 'Update an approval rule of a merge request',
      access: 'manage_merge_requests',
      params: EditMergeRequestRule,
      responses: { 200: MergeRequestRule },
      run: async (call) => {
        const { project, user, params } = call
        const approval_rule_id = await editMergeRequestRule(
          database,
          { project, viewer: signedIn(user) },
          params,
        )
        return mergeRequestRuleRecord(deps, call, { ...params, approval_rule_id })
      },
    }),
    operation('DELETE /projects/:id/merge_requests/:merge_request_iid/approval_rules/:approval_rule_id', {
      summary: 'Delete an approval rule of a merge request',
      access: 'manage_merge_requests',
      params: MergeRequestRuleId,
      responses: { 204: NoBody },
      run: async ({ project, user, params }) => {
        await deleteMergeRequestRule(database, { project, viewer: signedIn(user) }, params)
        return respond(204)
      },
    }),
  ]
}

/** Throws 404 for a rule that does not hold for the merge request. */
async function mergeRequestRuleRecord(
  deps: ApprovalDeps,
  caller: CallerInProject,
  { merge_request_iid, approval_rule_id }: { merge_request_iid: number; approval_rule_id: number },
): Promise<MergeRequestRule> {
  const row = await requireMergeRequest(deps.database, caller, merge_request_iid)
  const rule = (await mergeRequestRules(deps, caller, row)).find(({ id }) => id === approval_rule_id)
  if (!rule) throw notFound()
  return rule
}
