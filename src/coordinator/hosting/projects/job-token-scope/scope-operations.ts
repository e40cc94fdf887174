import { Type } from 'typebox'

import type { AuditDetails } from '../../../database/tables/audit-events.js'
import type { AuditedCall } from '../../../http/audited-call.js'
import { NoBody, type Operation, operation, respond } from '../../../http/operation.js'
import { page } from '../../../http/page.js'
import { signedIn } from '../../../http/viewer.js'
import type { ProjectRecords } from '../record/records.js'
import { SimpleProject } from '../record/schema.js'
import { allow, disallow, switchScope } from './allow.js'
import {
  AllowedGroup,
  AllowedProject,
  EditJobTokenScope,
  JobTokenScope,
  ListedGroup,
  NewAllowedGroup,
  NewAllowedProject,
} from './schema.js'
import { listAllowedGroups, listAllowedProjects } from './store.js'

/** Job token allowlists: which jobs may access a project with their tokens (API, C2). */
export function jobTokenScopeOperations(records: ProjectRecords): Operation[] {
  return [...scope(records), ...allowedProjects(records), ...allowedGroups(records)]
}

function scope({ deps: { database } }: ProjectRecords): Operation[] {
  return [
    operation('GET /projects/:id/job_token_scope', {
      summary: 'Get the job token access settings of a project',
      access: 'admin_job_token_scope',
      responses: { 200: JobTokenScope },
      run: async ({ project }) => ({
        inbound_enabled: project.job_token_scope_enabled,
        outbound_enabled: false,
      }),
    }),
    operation('PATCH /projects/:id/job_token_scope', {
      summary: 'Update the job token access settings of a project',
      access: 'admin_job_token_scope',
      params: EditJobTokenScope,
      audit: auditSwitch,
      responses: { 204: NoBody },
      run: async ({ project, params }) => {
        await switchScope(database, project, params.enabled)
        return respond(204)
      },
    }),
  ]
}

function allowedProjects(records: ProjectRecords): Operation[] {
  const { database } = records.deps
  return [
    operation('GET /projects/:id/job_token_scope/allowlist', {
      summary: 'List projects on the job token allowlist, including the project itself',
      access: 'admin_job_token_scope',
      responses: { 200: Type.Array(SimpleProject) },
      paginated: true,
      run: async ({ project, paging }) => {
        const { rows, total } = await listAllowedProjects(database, project.id, paging)
        return page(await records.simples(rows), total)
      },
    }),
    operation('POST /projects/:id/job_token_scope/allowlist', {
      summary: 'Add a project to the job token allowlist',
      access: 'admin_job_token_scope',
      params: NewAllowedProject,
      audit: auditProject,
      responses: { 201: AllowedProject },
      run: async ({ project, params, user }) => {
        const { target_project_id } = params
        const entry = { project_id: project.id, allowed_project_id: target_project_id }
        await allow(database, entry, signedIn(user))
        return { source_project_id: project.id, target_project_id }
      },
    }),
    operation('DELETE /projects/:id/job_token_scope/allowlist/:target_project_id', {
      summary: 'Remove a project from the job token allowlist',
      access: 'admin_job_token_scope',
      params: NewAllowedProject,
      responses: { 204: NoBody },
      run: async ({ project, params }) => {
        const { target_project_id } = params
        await disallow(database, { project_id: project.id, allowed_project_id: target_project_id })
        return respond(204)
      },
    }),
  ]
}

function allowedGroups({ deps: { database, externalUrl } }: ProjectRecords): Operation[] {
  return [
    operation('GET /projects/:id/job_token_scope/groups_allowlist', {
      summary: 'List groups on the job token allowlist',
      access: 'admin_job_token_scope',
      responses: { 200: Type.Array(ListedGroup) },
      paginated: true,
      run: async ({ project, paging }) => {
        const { rows, total } = await listAllowedGroups(database, project.id, paging)
        const records = rows.map(({ id, name, full_path }) => {
          return { id, web_url: `${externalUrl}/groups/${full_path}`, name }
        })
        return page(records, total)
      },
    }),
    operation('POST /projects/:id/job_token_scope/groups_allowlist', {
      summary: 'Add a group to the job token allowlist',
      access: 'admin_job_token_scope',
      params: NewAllowedGroup,
      audit: auditGroup,
      responses: { 201: AllowedGroup },
      run: async ({ project, params: { target_group_id }, user }) => {
        const entry = { project_id: project.id, allowed_group_id: target_group_id }
        await allow(database, entry, signedIn(user))
        return { source_project_id: project.id, target_group_id }
      },
    }),
    operation('DELETE /projects/:id/job_token_scope/groups_allowlist/:target_group_id', {
      summary: 'Remove a group from the job token allowlist',
      access: 'admin_job_token_scope',
      params: NewAllowedGroup,
      responses: { 204: NoBody },
      run: async ({ project, params: { target_group_id } }) => {
        await disallow(database, { project_id: project.id, allowed_group_id: target_group_id })
        return respond(204)
      },
    }),
  ]
}

/** Old and new value for the audit event, since this operation has no record. */
function auditSwitch({ project, params }: AuditedCall): AuditDetails {
  if (!project) return {}
  const target = { target_id: project.id, target_details: project.full_path }
  const [from, to] = [project.job_token_scope_enabled, params['enabled'] === true]
  return from === to ? target : { change: 'inbound_enabled', from, to, ...target }
}

/** The target is the listed project; the record has no `id` of it. */
function auditProject({ params }: AuditedCall): AuditDetails {
  return { target_id: Number(params['target_project_id']) }
}

function auditGroup({ params }: AuditedCall): AuditDetails {
  return { target_id: Number(params['target_group_id']) }
}
