import { LEVEL_NAMES } from '../../../access/level-names.js'
import type { AuditDetails } from '../../../database/tables/audit-events.js'
import type { AuditedCall } from '../../../http/audited-call.js'
import { NoBody, type Operation, operation, respond } from '../../../http/operation.js'
import { isoDateOrNull } from '../../../http/presenters/present-time.js'
import type { GroupRecords } from '../records.js'
import { Group } from '../schema.js'
import { NewShare, ProjectShare, ShareOf } from './schema.js'
import { shareGroup, shareProject, unshare } from './shares.js'

export function shareOperations(records: GroupRecords): Operation[] {
  const { database } = records.deps
  return [
    operation('POST /projects/:id/share', {
      summary: 'Share a project with a group',
      access: 'admin_members',
      params: NewShare,
      audit: auditShare,
      responses: { 201: ProjectShare },
      run: async ({ project, params, user, accessLevel }) => {
        const row = await shareProject(database, project, params, { user, accessLevel })
        const { id, with_group_id, group_access } = row
        return {
          id,
          project_id: project.id,
          group_id: with_group_id,
          group_access,
          expires_at: isoDateOrNull(row.expires_at),
        }
      },
    }),
    operation('DELETE /projects/:id/share/:group_id', {
      summary: 'Delete a share of a project with a group',
      access: 'admin_members',
      params: ShareOf,
      responses: { 204: NoBody },
      run: async ({ project, params }) => {
        await unshare(database, { project_id: project.id }, params.group_id)
        return respond(204)
      },
    }),
    operation('POST /groups/:id/share', {
      summary: 'Share a group with another group',
      access: 'admin_group_members',
      params: NewShare,
      audit: auditShare,
      responses: { 201: Group },
      run: async ({ group, params, user, accessLevel }) => {
        await shareGroup(database, group, params, { user, accessLevel })
        return records.details(group, { user, accessLevel })
      },
    }),
    operation('DELETE /groups/:id/share/:group_id', {
      summary: 'Delete a share of a group with another group',
      access: 'admin_group_members',
      params: ShareOf,
      responses: { 204: NoBody },
      run: async ({ group, params }) => {
        await unshare(database, { group_id: group.id }, params.group_id)
        return respond(204)
      },
    }),
  ]
}

/** The target is the group that gets access, not the returned record. */
function auditShare({ params }: AuditedCall): AuditDetails {
  return {
    as: LEVEL_NAMES.get(Number(params['group_access'])) ?? null,
    target_id: Number(params['group_id']),
  }
}
