import { awaitedOf } from './rows.js'

/** Rows, or parameters of them, that are still to be served. What is served since is to be taken off this list. */
export const awaited = awaitedOf(`
  GET G/subgroups
  GET G/descendant_groups
  GET G/projects
  DELETE G
  POST G/projects/:project_id
  POST G/transfer
  POST G/share
  DELETE G/share/:group_id
  GET /namespaces/:path/exists
  GET P/users
  GET P/groups
  POST P/share
  DELETE P/share/:group_id
  POST /users | avatar
  PUT /users/:id | avatar
  GET /groups | skip_groups all_available order_by statistics with_custom_attributes min_access_level custom_attributes
  GET G | with_custom_attributes with_projects
  POST /groups | description share_with_group_lock require_two_factor_authentication two_factor_grace_period project_creation_level auto_devops_enabled subgroup_creation_level emails_disabled lfs_enabled request_access_enabled
  PUT G | path description share_with_group_lock visibility require_two_factor_authentication two_factor_grace_period project_creation_level auto_devops_enabled subgroup_creation_level emails_disabled avatar mentions_disabled lfs_enabled request_access_enabled default_branch_protection
`)
