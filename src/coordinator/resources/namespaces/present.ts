import { isoTime } from '../../http/present-time.js'
import type { Group, Namespace } from './schema.js'
import type { NamespaceRow } from './store.js'

export function presentNamespace(row: NamespaceRow, baseUrl: string): Namespace {
  const { id, name, path, kind, full_path, parent_id } = row
  return {
    id,
    name,
    path,
    kind,
    full_path,
    parent_id,
    avatar_url: null,
    web_url: `${baseUrl}/${full_path}`,
  }
}

export function presentGroup(row: NamespaceRow, baseUrl: string): Group {
  const { id, name, path, full_path, parent_id, visibility } = row
  return {
    id,
    name,
    path,
    description: null,
    visibility,
    avatar_url: null,
    web_url: `${baseUrl}/groups/${full_path}`,
    full_name: full_path.split('/').slice(0, -1).concat(name).join(' / '),
    full_path,
    parent_id,
    created_at: isoTime(row.created_at),
    request_access_enabled: false,
    project_creation_level: 'maintainer',
    subgroup_creation_level: 'owner',
    lfs_enabled: false,
    shared_runners_setting: row.shared_runners_setting,
  }
}
