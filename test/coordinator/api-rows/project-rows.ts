import { omittedOf, rowsOf } from './rows.js'

/** Projects, their hooks and their repositories (API, C, E and K). */
export const projectRows = rowsOf(`
  # Projects (API, C1, C2)
  GET /projects | archived visibility order_by sort search simple owned membership starred statistics with_custom_attributes with_issues_enabled with_merge_requests_enabled with_programming_language min_access_level custom_attributes | 200
  GET /users/:user_id/projects | archived visibility order_by sort search simple owned membership starred statistics with_custom_attributes with_issues_enabled with_merge_requests_enabled with_programming_language min_access_level | 200
  GET P | statistics license with_custom_attributes | 200
  GET P/statistics | | 200
  POST /projects | name path namespace_id initialize_with_readme import_url default_branch description visibility | 201
  POST /projects/user/:user_id | name | 201
  PUT P | name path default_branch description visibility issues_enabled merge_requests_enabled jobs_enabled wiki_enabled snippets_enabled container_registry_enabled resolve_outdated_diff_discussions shared_runners_enabled group_runners_enabled lfs_enabled public_jobs request_access_enabled only_allow_merge_if_pipeline_succeeds allow_merge_on_skipped_pipeline merge_trains_enabled merge_trains_limit only_allow_merge_if_all_discussions_are_resolved merge_method squash_option remove_source_branch_after_merge autoclose_referenced_issues tag_list topics avatar ci_config_path ci_default_git_depth build_git_strategy build_timeout auto_cancel_pending_pipelines keep_latest_artifact ci_forward_deployment_enabled | 200
  DELETE P | permanently_remove full_path | 202
  POST P/fork | namespace namespace_id namespace_path path name | 201
  GET P/forks | | 200
  POST P/star | | 201
  POST P/unstar | | 201
  GET P/starrers | search | 200
  POST P/archive | | 201
  POST P/unarchive | | 201
  POST P/restore | | 201
  GET P/languages | | 200
  GET P/users | search skip_users | 200
  GET P/groups | search with_shared | 200
  POST P/uploads | file | 201
  POST /projects/import | file path name namespace overwrite override_params | 201
  GET P/import | | 200
  GET P/export | | 200
  POST P/export | description | 202
  GET P/export/download | | 200
  GET /bulk_imports | status | 200
  POST /bulk_imports | configuration entities | 201
  GET /bulk_imports/:import_id | | 200
  GET /bulk_imports/:import_id/entities | | 200
  GET /bulk_imports/:import_id/entities/:entity_id | | 200
  GET /bulk_imports/:import_id/entities/:entity_id/failures | | 200
  POST /bulk_imports/:import_id/cancel | | 200
  POST P/share | group_id group_access expires_at | 201
  DELETE P/share/:group_id | | 204
  POST P/fork/:forked_from_id | | 201
  DELETE P/fork | | 204
  POST P/housekeeping | | 201
  PUT P/transfer | namespace | 200
  GET P/snapshot | wiki | 200
  GET P/storage | | 200
  GET P/invited_groups | search min_access_level relation | 200
  GET P/share_locations | search | 200
  GET P/transfer_locations | search | 200
  GET G/invited_groups | search min_access_level relation | 200
  GET G/transfer_locations | search | 200
  POST P/import_project_members/:project_id | | 200
  POST P/remote_mirrors/:mirror_id/sync | | 204
  GET P/badges | name | 200
  POST P/badges | link_url image_url name | 201
  PUT P/badges/:badge_id | link_url image_url name | 200
  DELETE P/badges/:badge_id | | 204
  GET P/job_token_scope | | 200
  PATCH P/job_token_scope | enabled | 204
  GET P/job_token_scope/allowlist | | 200
  POST P/job_token_scope/allowlist | target_project_id | 201
  DELETE P/job_token_scope/allowlist/:target_project_id | | 204
  GET P/job_token_scope/groups_allowlist | | 200
  POST P/job_token_scope/groups_allowlist | target_group_id | 201
  DELETE P/job_token_scope/groups_allowlist/:target_group_id | | 204

  # Pull mirrors (API, C2)
  GET P/mirror/pull | | 200
  PUT P/mirror/pull | enabled url auth_user auth_password mirror_trigger_builds only_mirror_protected_branches mirror_overwrites_diverged_branches | 200
  POST P/mirror/pull | | 200

  # Push rules (API, C6)
  GET P/push_rule | | 200
  POST P/push_rule | commit_message_regex commit_message_negative_regex branch_name_regex author_email_regex file_name_regex deny_delete_tag member_check prevent_secrets commit_committer_check reject_unsigned_commits max_file_size | 201
  PUT P/push_rule | commit_message_regex commit_message_negative_regex branch_name_regex author_email_regex file_name_regex deny_delete_tag member_check prevent_secrets commit_committer_check reject_unsigned_commits max_file_size | 200
  DELETE P/push_rule | | 204
  GET G/push_rule | | 200
  POST G/push_rule | commit_message_regex commit_message_negative_regex branch_name_regex author_email_regex file_name_regex deny_delete_tag member_check prevent_secrets commit_committer_check reject_unsigned_commits max_file_size | 201
  PUT G/push_rule | commit_message_regex commit_message_negative_regex branch_name_regex author_email_regex file_name_regex deny_delete_tag member_check prevent_secrets commit_committer_check reject_unsigned_commits max_file_size | 200
  DELETE G/push_rule | | 204
  GET /admin/push_rule | | 200
  POST /admin/push_rule | commit_message_regex commit_message_negative_regex branch_name_regex author_email_regex file_name_regex deny_delete_tag member_check prevent_secrets commit_committer_check reject_unsigned_commits max_file_size | 201
  PUT /admin/push_rule | commit_message_regex commit_message_negative_regex branch_name_regex author_email_regex file_name_regex deny_delete_tag member_check prevent_secrets commit_committer_check reject_unsigned_commits max_file_size | 200
  DELETE /admin/push_rule | | 204

  # Integrations (API, L2)
  GET P/integrations | | 200
  GET P/integrations/:slug | | 200
  PUT P/integrations/:slug | active push_events issues_events merge_requests_events tag_push_events note_events pipeline_events webhook token username password api_key restrict_to_branch subdomain vendor_url build_key new_issue_url issues_url project_url description title enable_ssl_verification room recipients disable_diffs send_from_committer_email external_wiki_url repository_url static_context notify_only_broken_pipelines notify_only_default_branch branches_to_be_notified color notify api_version server default_irc_uri server_host server_port colorize_messages url api_url vendor_issue_transition_id commit_events | 200
  DELETE P/integrations/:slug | | 204
  POST P/integrations/:slug/test | | 201
  POST P/integrations/:slug/trigger | token text command | 200
  GET P/services | | 200
  GET P/services/:slug | | 200
  PUT P/services/:slug | active push_events issues_events merge_requests_events tag_push_events note_events pipeline_events webhook token username password api_key restrict_to_branch subdomain vendor_url build_key new_issue_url issues_url project_url description title enable_ssl_verification room recipients disable_diffs send_from_committer_email external_wiki_url repository_url static_context notify_only_broken_pipelines notify_only_default_branch branches_to_be_notified color notify api_version server default_irc_uri server_host server_port colorize_messages url api_url vendor_issue_transition_id commit_events | 200
  DELETE P/services/:slug | | 204
  POST P/services/:slug/test | | 201
  POST P/services/:slug/trigger | token text command | 200

  # Hooks (API, K1)
  GET P/hooks | | 200
  GET P/hooks/:hook_id | | 200
  POST P/hooks | url push_events push_events_branch_filter issues_events confidential_issues_events merge_requests_events tag_push_events note_events job_events pipeline_events wiki_page_events enable_ssl_verification token | 201
  PUT P/hooks/:hook_id | url push_events push_events_branch_filter issues_events confidential_issues_events merge_requests_events tag_push_events note_events job_events pipeline_events wiki_events wiki_page_events enable_ssl_verification token | 200
  DELETE P/hooks/:hook_id | | 204
  POST P/hooks/:hook_id/test/:trigger | | 201
  GET P/hooks/:hook_id/events | | 200

  GET G/hooks | | 200
  GET G/hooks/:hook_id | | 200
  POST G/hooks | url push_events push_events_branch_filter issues_events merge_requests_events subgroup_events member_events project_events enable_ssl_verification token | 201
  PUT G/hooks/:hook_id | url push_events subgroup_events member_events project_events token | 200
  DELETE G/hooks/:hook_id | | 204
  POST G/hooks/:hook_id/test/:trigger | | 201
  GET G/hooks/:hook_id/events | | 200

  # Branches, protected refs, tags (API, E1, E2, E6)
  GET P/repository/branches | search regex sort | 200
  GET P/repository/branches/:branch | | 200
  POST P/repository/branches | branch ref | 201
  DELETE P/repository/branches/:branch | | 204
  DELETE P/repository/merged_branches | | 202
  GET P/protected_branches | search | 200
  GET P/protected_branches/:name | | 200
  POST P/protected_branches | name push_access_level merge_access_level allow_force_push allowed_to_push allowed_to_merge | 201
  PATCH P/protected_branches/:name | allow_force_push | 200
  DELETE P/protected_branches/:name | | 204
  GET P/protected_environments | search | 200
  GET P/protected_environments/:name | | 200
  POST P/protected_environments | name deploy_access_levels approval_rules required_approval_count | 201
  PUT P/protected_environments/:name | deploy_access_levels approval_rules required_approval_count | 200
  DELETE P/protected_environments/:name | | 204
  GET G/protected_environments | search | 200
  GET G/protected_environments/:name | | 200
  POST G/protected_environments | name deploy_access_levels approval_rules required_approval_count | 201
  PUT G/protected_environments/:name | deploy_access_levels approval_rules required_approval_count | 200
  DELETE G/protected_environments/:name | | 204
  GET P/protected_tags | | 200
  GET P/protected_tags/:name | | 200
  POST P/protected_tags | name create_access_level allowed_to_create | 201
  DELETE P/protected_tags/:name | | 204
  GET P/repository/tags | order_by sort search | 200
  GET P/repository/tags/:tag_name | | 200
  POST P/repository/tags | tag_name ref message release_description | 201
  DELETE P/repository/tags/:tag_name | | 204
  POST P/repository/tags/:tag_name/release | description | 201
  PUT P/repository/tags/:tag_name/release | description | 200

  # Files, commits, repositories (API, E3 to E5)
  GET P/repository/files/:file_path | ref | 200
  GET P/repository/files/:file_path/blame | ref | 200
  GET P/repository/files/:file_path/raw | ref | 200
  POST P/repository/files/:file_path | branch start_branch encoding author_email author_name content commit_message | 201
  PUT P/repository/files/:file_path | branch start_branch encoding author_email author_name content commit_message last_commit_id | 200
  DELETE P/repository/files/:file_path | branch start_branch author_email author_name commit_message last_commit_id | 204
  GET P/repository/tree | path ref recursive | 200
  GET P/repository/blobs/:sha | | 200
  GET P/repository/blobs/:sha/raw | | 200
  GET P/repository/archive | sha | 200
  GET P/repository/compare | from to straight | 200
  GET P/repository/contributors | order_by sort | 200
  GET P/repository/merge_base | refs | 200
  GET P/repository/commits | ref_name since until path all with_stats first_parent | 200
  POST P/repository/commits | branch commit_message start_branch start_sha start_project actions author_email author_name stats force | 201
  GET P/repository/commits/:sha | stats | 200
  GET P/repository/commits/:sha/refs | type | 200
  POST P/repository/commits/:sha/cherry_pick | branch | 201
  POST P/repository/commits/:sha/revert | branch | 201
  GET P/repository/commits/:sha/diff | | 200
  GET P/repository/commits/:sha/comments | | 200
  POST P/repository/commits/:sha/comments | note path line line_type | 201
  PUT P/repository/submodules/:submodule | branch commit_sha commit_message | 200
  GET P/repository/changelog | version from to date trailer config_file config_file_ref | 200
  POST P/repository/changelog | version from to date branch trailer config_file file message | 200
  GET P/deploy_keys | | 200
  GET P/deploy_keys/:key_id | | 200
  POST P/deploy_keys | title key can_push | 201
  PUT P/deploy_keys/:key_id | title can_push | 200
  DELETE P/deploy_keys/:key_id | | 204
  POST P/deploy_keys/:key_id/enable | | 201
  GET /deploy_keys | | 200
  GET P/remote_mirrors | | 200
  GET P/remote_mirrors/:mirror_id | | 200
  POST P/remote_mirrors | url enabled only_protected_branches keep_divergent_refs | 201
  PUT P/remote_mirrors/:mirror_id | url enabled only_protected_branches keep_divergent_refs | 200
  DELETE P/remote_mirrors/:mirror_id | | 204
`)

export const projectOmitted = omittedOf(`
`)
