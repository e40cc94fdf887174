import { addressOf } from '../../addresses/address-of.js'
import type { AuditEvent } from '../../coordinator/accounts/audit-events/schema.js'

/** The page of what an audit event belongs to: a project, group or user. */
export function entityHref({ details: { entity_path: path } }: AuditEvent): string | undefined {
  // Some events about accounts name them by ID.
  return typeof path === 'string' && !/^\d*$/.test(path) ? `/${path}` : undefined
}

/** The page of what was created or changed; undefined for what was removed, and for what has no page of its own. */
export function targetHref(event: AuditEvent): string | undefined {
  const { details, entity_type: entityType } = event
  const { target_type: type, target_id: given, target_details: name, entity_path: path } = details
  if ('remove' in details) return undefined
  if (type === 'User') return typeof name === 'string' && /^[\w.-]+$/.test(name) ? `/${name}` : undefined
  if (type === entityType) return entityHref(event)
  if (typeof path !== 'string') return undefined
  const id = typeof given === 'string' || typeof given === 'number' ? String(given) : ''
  if (id === '') return undefined
  if (entityType === 'Project') return hrefInProject(path, String(type), id)
  return entityType === 'Group' ? hrefInGroup(path, String(type), id) : undefined
}

function hrefInProject(project: string, type: string, id: string): string | undefined {
  switch (type) {
    case 'Pipeline':
      return addressOf('pipelines/pipeline', { project, id })
    case 'Job':
      return addressOf('jobs/job', { project, id })
    case 'PipelineSchedule':
      return addressOf('schedules/list', { project })
    case 'Branch':
      return addressOf('code/tree', { project, ref_path: id })
    case 'Tag':
      return addressOf('code/tag', { project, tag: id })
    case 'Commit':
      return addressOf('code/commit', { project, sha: id })
    case 'Release':
      return addressOf('releases/release', { project, tag: id })
    case 'Environment':
      return addressOf('environments/environment', { project, id })
    case 'Hook':
      return addressOf('settings/hook', { project, id })
    case 'Variable':
    case 'Trigger':
    case 'ProtectedEnvironment':
      return addressOf('settings/ci', { project })
    case 'ProtectedBranch':
    case 'ProtectedTag':
    case 'PushRule':
    case 'DeployKey':
    case 'DeployToken':
      return addressOf('settings/repository', { project })
    default:
      return undefined
  }
}

function hrefInGroup(group: string, type: string, id: string): string | undefined {
  switch (type) {
    case 'Hook':
      return addressOf('groups/hook', { group, id })
    case 'Variable':
    case 'ProtectedEnvironment':
      return addressOf('groups/ci-settings', { group })
    default:
      return undefined
  }
}
