import type { Updateable } from 'kysely'

import type { User } from '../../access/caller.js'
import type { NamespaceTable } from '../../database/tables/projects.js'
import type { CreateGroup, EditGroup } from './schema.js'

/**
 * Columns that users set as they are given. Only administrators may set quotas; for other users they are
 * ignored.
 */
export function settingsFor(params: CreateGroup | EditGroup, user: User): Updateable<NamespaceTable> {
  const { shared_runners_minutes_limit, extra_shared_runners_minutes_limit } = params
  const { file_template_project_id, prevent_forking_outside_group }: EditGroup = params
  const settings = {
    description: params.description,
    membership_lock: params.membership_lock,
    share_with_group_lock: params.share_with_group_lock,
    require_two_factor_authentication: params.require_two_factor_authentication,
    two_factor_grace_period: params.two_factor_grace_period,
    project_creation_level: params.project_creation_level,
    auto_devops_enabled: params.auto_devops_enabled,
    subgroup_creation_level: params.subgroup_creation_level,
    emails_disabled: params.emails_disabled,
    mentions_disabled: params.mentions_disabled,
    lfs_enabled: params.lfs_enabled,
    request_access_enabled: params.request_access_enabled,
    default_branch_protection: params.default_branch_protection,
    default_branch: params.default_branch,
    file_template_project_id,
    prevent_forking_outside_group,
    ...(user.is_admin ? { shared_runners_minutes_limit, extra_shared_runners_minutes_limit } : {}),
  }
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined))
}
