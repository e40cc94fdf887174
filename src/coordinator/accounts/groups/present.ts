import { pathsAbove } from '../../../addresses/path-name.js'
import { mergeRecords } from '../../../lib/merge-records.js'
import type { User } from '../../access/caller.js'
import type { NamespaceRow } from '../../database/stores/namespace-store.js'
import { namespaceAvatarUrl } from '../../http/presenters/avatar-url.js'
import { isoTime } from '../../http/presenters/present-time.js'
import type { Group, GroupStatistics, Namespace } from './schema.js'
import type { GroupSizes, MemberCounts } from './store.js'

/** `owner` is the user of a personal namespace; `members` is shown to owners of a group. */
export function presentNamespace(
  row: NamespaceRow,
  baseUrl: string,
  { owner, members }: { owner: User | undefined; members: MemberCounts | undefined },
): Namespace {
  const { id, name, path, kind, full_path, parent_id } = row
  const isGroup = kind === 'group'
  return mergeRecords(
    { id, name, path, kind, full_path, parent_id },
    {
      avatar_url: namespaceAvatarUrl(row, owner, baseUrl),
      web_url: isGroup ? `${baseUrl}/groups/${full_path}` : `${baseUrl}/${full_path}`,
    },
    isGroup && members !== undefined
      ? { members_count_with_descendants: members.members, billable_members_count: members.billable }
      : {},
    members === undefined ? {} : { plan: 'default', trial: false },
  )
}

/** `names` has the names of the ancestor groups, by full path in lower case. */
export function presentGroup(row: NamespaceRow, names: Map<string, string>, baseUrl: string): Group {
  const { id, name, path, full_path, parent_id, visibility } = row
  return {
    id,
    name,
    path,
    full_path,
    parent_id,
    visibility,
    description: row.description,
    avatar_url: namespaceAvatarUrl(row, undefined, baseUrl),
    web_url: `${baseUrl}/groups/${full_path}`,
    full_name: [...pathsAbove(full_path).map((above) => names.get(above.toLowerCase()) ?? above), name].join(
      ' / ',
    ),
    created_at: isoTime(row.created_at),
    share_with_group_lock: row.share_with_group_lock,
    require_two_factor_authentication: row.require_two_factor_authentication,
    two_factor_grace_period: row.two_factor_grace_period,
    project_creation_level: row.project_creation_level,
    auto_devops_enabled: row.auto_devops_enabled,
    subgroup_creation_level: row.subgroup_creation_level,
    emails_disabled: row.emails_disabled,
    mentions_disabled: row.mentions_disabled,
    lfs_enabled: row.lfs_enabled,
    default_branch_protection: row.default_branch_protection,
    default_branch: row.default_branch,
    request_access_enabled: row.request_access_enabled,
    file_template_project_id: row.file_template_project_id,
    shared_runners_setting: row.shared_runners_setting,
    marked_for_deletion_on: null,
  }
}

export function presentStatistics(sizes: GroupSizes): GroupStatistics {
  return {
    storage_size:
      sizes.repository_size +
      sizes.wiki_size +
      sizes.lfs_objects_size +
      sizes.job_artifacts_size +
      sizes.uploads_size,
    ...sizes,
    packages_size: 0,
  }
}
