import { awaitedOf } from './rows.js'

/** Rows, or parameters of them, that are still to be served. What is served since is to be taken off this list. */
export const awaited = awaitedOf(`
  GET P/deploy_tokens
  POST P/deploy_tokens
  DELETE P/deploy_tokens/:token_id
  GET G/subgroups
  GET G/descendant_groups
  GET G/projects
  DELETE G
  POST G/projects/:project_id
  POST G/transfer
  POST G/share
  DELETE G/share/:group_id
  GET /namespaces/:path/exists
  GET G/members
  GET G/members/all
  GET G/members/:user_id
  GET G/members/all/:user_id
  POST G/members
  PUT G/members/:user_id
  DELETE G/members/:user_id
  GET P/access_requests
  POST P/access_requests
  PUT P/access_requests/:user_id/approve
  DELETE P/access_requests/:user_id
  GET G/access_requests
  POST G/access_requests
  PUT G/access_requests/:user_id/approve
  DELETE G/access_requests/:user_id
  GET /audit_events
  GET /audit_events/:id
  GET P/users
  GET P/groups
  POST P/share
  DELETE P/share/:group_id
  GET P/snapshot
  GET P/repository/files/:file_path
  GET P/repository/files/:file_path/blame
  GET P/repository/files/:file_path/raw
  POST P/repository/files/:file_path
  PUT P/repository/files/:file_path
  DELETE P/repository/files/:file_path
  GET P/repository/tree
  GET P/repository/blobs/:sha
  GET P/repository/blobs/:sha/raw
  GET P/repository/archive
  GET P/repository/compare
  GET P/repository/contributors
  GET P/repository/merge_base
  GET P/repository/commits
  POST P/repository/commits
  GET P/repository/commits/:sha
  GET P/repository/commits/:sha/refs
  POST P/repository/commits/:sha/cherry_pick
  POST P/repository/commits/:sha/revert
  GET P/repository/commits/:sha/diff
  GET P/deploy_keys
  GET P/deploy_keys/:key_id
  POST P/deploy_keys
  PUT P/deploy_keys/:key_id
  DELETE P/deploy_keys/:key_id
  POST P/deploy_keys/:key_id/enable
  GET /deploy_keys
  POST /users | avatar
  PUT /users/:id | avatar
  GET /groups | skip_groups all_available order_by statistics with_custom_attributes min_access_level custom_attributes
  GET G | with_custom_attributes with_projects
  POST /groups | description share_with_group_lock require_two_factor_authentication two_factor_grace_period project_creation_level auto_devops_enabled subgroup_creation_level emails_disabled lfs_enabled request_access_enabled
  PUT G | path description share_with_group_lock visibility require_two_factor_authentication two_factor_grace_period project_creation_level auto_devops_enabled subgroup_creation_level emails_disabled avatar mentions_disabled lfs_enabled request_access_enabled default_branch_protection
  POST P/protected_branches | allowed_to_push allowed_to_merge
  POST P/protected_tags | allowed_to_create
`)
