import { rowsOf } from './rows.js'
import { SETTING_NAMES } from './setting-names.js'

/** Users, groups, members and tokens (API, A11, A13, C3, D and H). */
export const peopleRows = rowsOf(`
  # Users (API, H)
  GET /users | search username active blocked extern_uid provider external created_after created_before custom_attributes with_custom_attributes order_by sort two_factor | 200
  GET /users/:id | with_custom_attributes | 200
  POST /users | email username name password reset_password force_random_password skype linkedin twitter website_url organization projects_limit extern_uid provider bio location public_email admin can_create_group skip_confirmation external avatar private_profile | 201
  PUT /users/:id | email username name password skype linkedin twitter website_url organization projects_limit extern_uid provider bio location public_email admin skip_reconfirmation external avatar private_profile can_create_group | 200
  DELETE /users/:id | hard_delete | 204
  GET /user | | 200
  GET /user/status | | 200
  GET /users/:user_id/status | | 200
  PUT /user/status | emoji message | 200
  GET /user_counts | | 200
  GET /user/chat_names | | 200
  POST /user/chat_names | code | 201
  DELETE /user/chat_names/:chat_name_id | | 204
  GET /user/keys | | 200
  GET /user/keys/:key_id | | 200
  POST /user/keys | title key expires_at usage_type | 201
  DELETE /user/keys/:key_id | | 204
  GET /users/:id/keys | | 200
  POST /users/:id/keys | title key expires_at usage_type | 201
  DELETE /users/:id/keys/:key_id | | 204
  POST /users/:id/block | | 201
  POST /users/:id/unblock | | 201
  POST /users/:id/activate | | 201
  POST /users/:id/deactivate | | 201
  GET /user/emails | | 200
  GET /user/emails/:email_id | | 200
  POST /user/emails | email skip_confirmation | 201
  DELETE /user/emails/:email_id | | 204
  GET /users/:id/emails | | 200
  POST /users/:id/emails | email skip_confirmation | 201
  DELETE /users/:id/emails/:email_id | | 204
  GET /user/activities | from | 200
  GET /users/:id/memberships | type | 200

  # Events (API, G8)
  GET /events | action target_type before after sort scope | 200
  GET /users/:user_id/events | action target_type before after sort | 200
  GET P/events | action target_type before after sort | 200
  GET G/events | action target_type before after sort | 200
  GET /avatar | email size | 200

  # Templates (API, G8)
  GET /templates/gitignores | | 200
  GET /templates/gitignores/:key | | 200
  GET /templates/gitlab_ci_ymls | | 200
  GET /templates/gitlab_ci_ymls/:key | | 200
  GET /templates/dockerfiles | | 200
  GET /templates/dockerfiles/:key | | 200
  GET /templates/licenses | popular | 200
  GET /templates/licenses/:key | project fullname | 200
  GET P/templates/:type | | 200
  GET P/templates/:type/:name | | 200

  # Version (API, A11), tokens (API, A13)
  GET /version | | 200
  GET /metadata | | 200

  # Notification settings (API, L3)
  GET /notification_settings | | 200
  PUT /notification_settings | level notification_email new_note new_issue reopen_issue close_issue reassign_issue issue_due new_merge_request push_to_merge_request reopen_merge_request close_merge_request reassign_merge_request merge_merge_request failed_pipeline success_pipeline new_epic moved_project merge_when_pipeline_succeeds fixed_pipeline change_reviewer_merge_request approver new_release | 200
  GET P/notification_settings | | 200
  PUT P/notification_settings | level new_note new_issue reopen_issue close_issue reassign_issue issue_due new_merge_request push_to_merge_request reopen_merge_request close_merge_request reassign_merge_request merge_merge_request failed_pipeline success_pipeline new_epic moved_project merge_when_pipeline_succeeds fixed_pipeline change_reviewer_merge_request approver new_release | 200
  GET G/notification_settings | | 200
  PUT G/notification_settings | level new_note new_issue reopen_issue close_issue reassign_issue issue_due new_merge_request push_to_merge_request reopen_merge_request close_merge_request reassign_merge_request merge_merge_request failed_pipeline success_pipeline new_epic moved_project merge_when_pipeline_succeeds fixed_pipeline change_reviewer_merge_request approver new_release | 200

  # Settings of the instance (API, L1)
  GET /application/settings | | 200
  GET /application/appearance | | 200
  PUT /application/appearance | title description pwa_name pwa_short_name pwa_description pwa_icon logo header_logo favicon member_guidelines new_project_guidelines profile_image_guidelines header_message footer_message message_background_color message_font_color email_header_and_footer_enabled | 200
  GET /application/plan_limits | plan_name | 200
  PUT /application/plan_limits | plan_name ci_instance_level_variables ci_pipeline_size ci_active_jobs ci_project_subscriptions ci_pipeline_schedules ci_needs_size_limit ci_registered_group_runners ci_registered_project_runners dotenv_size dotenv_variables conan_max_file_size enforcement_limit generic_packages_max_file_size helm_max_file_size notification_limit maven_max_file_size npm_max_file_size nuget_max_file_size pipeline_hierarchy_size pypi_max_file_size terraform_module_max_file_size storage_size_limit | 200
  GET /application/statistics | | 200
  GET /topics | search without_projects | 200
  GET /topics/:id | | 200
  POST /topics | name title description avatar | 201
  PUT /topics/:id | name title description avatar | 200
  DELETE /topics/:id | | 204
  POST /topics/merge | source_topic_id target_topic_id | 201
  GET /broadcast_messages | | 200
  GET /broadcast_messages/:id | | 200
  POST /broadcast_messages | message starts_at ends_at color font theme target_access_levels target_path broadcast_type dismissable | 201
  PUT /broadcast_messages/:id | message starts_at ends_at color font theme target_access_levels target_path broadcast_type dismissable | 200
  DELETE /broadcast_messages/:id | | 204
  PUT /application/settings | ${SETTING_NAMES.join(' ')} | 200
  GET /personal_access_tokens | user_id state revoked search created_before created_after last_used_before last_used_after sort | 200
  GET /personal_access_tokens/:id | | 200
  GET /personal_access_tokens/self | | 200
  POST /personal_access_tokens/:id/rotate | expires_at | 200
  POST /personal_access_tokens/self/rotate | expires_at | 200
  DELETE /personal_access_tokens/:id | | 204
  DELETE /personal_access_tokens/self | | 204
  POST /users/:user_id/personal_access_tokens | name scopes expires_at | 201
  GET /users/:user_id/impersonation_tokens | state | 200
  POST /users/:user_id/impersonation_tokens | name scopes expires_at | 201
  GET /users/:user_id/impersonation_tokens/:id | | 200
  DELETE /users/:user_id/impersonation_tokens/:id | | 204
  GET P/access_tokens | | 200
  POST P/access_tokens | name scopes access_level expires_at | 201
  GET P/access_tokens/:token_id | | 200
  DELETE P/access_tokens/:token_id | | 204
  GET G/access_tokens | | 200
  POST G/access_tokens | name scopes access_level expires_at | 201
  GET G/access_tokens/:token_id | | 200
  DELETE G/access_tokens/:token_id | | 204
  GET P/deploy_tokens | | 200
  POST P/deploy_tokens | name scopes expires_at username | 201
  DELETE P/deploy_tokens/:token_id | | 204

  # OAuth applications (API, A14)
  GET /applications | | 200
  POST /applications | name redirect_uri scopes confidential | 201
  DELETE /applications/:id | | 204

  # Groups (API, D)
  GET /groups | skip_groups all_available search order_by sort statistics with_custom_attributes owned min_access_level custom_attributes | 200
  GET G/subgroups | skip_groups all_available search order_by sort statistics with_custom_attributes owned min_access_level | 200
  GET G/descendant_groups | skip_groups all_available search order_by sort statistics owned min_access_level | 200
  GET G/projects | archived visibility order_by sort search simple owned starred with_issues_enabled with_merge_requests_enabled with_shared include_subgroups min_access_level with_custom_attributes | 200
  GET G | with_custom_attributes with_projects | 200
  POST /groups | name path description visibility share_with_group_lock require_two_factor_authentication two_factor_grace_period project_creation_level auto_devops_enabled subgroup_creation_level emails_disabled lfs_enabled request_access_enabled parent_id | 201
  PUT G | name path description share_with_group_lock visibility require_two_factor_authentication two_factor_grace_period project_creation_level auto_devops_enabled subgroup_creation_level emails_disabled avatar mentions_disabled lfs_enabled request_access_enabled default_branch_protection shared_runners_setting | 200
  DELETE G | | 202
  POST G/projects/:project_id | | 201
  POST G/transfer | group_id | 201
  POST G/share | group_id group_access expires_at | 201
  DELETE G/share/:group_id | | 204
  GET /namespaces | search owned_only | 200
  GET /namespaces/:id | | 200
  GET /namespaces/:path/exists | parent_id | 200

  # Members (API, C3)
  GET P/members | query user_ids | 200
  GET P/members/all | query user_ids | 200
  GET P/members/:user_id | | 200
  GET P/members/all/:user_id | | 200
  POST P/members | user_id access_level expires_at | 201
  PUT P/members/:user_id | access_level expires_at | 200
  DELETE P/members/:user_id | | 204
  GET G/members | query user_ids | 200
  GET G/members/all | query user_ids | 200
  GET G/members/:user_id | | 200
  GET G/members/all/:user_id | | 200
  POST G/members | user_id access_level expires_at | 201
  PUT G/members/:user_id | access_level expires_at | 200
  DELETE G/members/:user_id | skip_subresources unassign_issuables | 204
  GET P/access_requests | | 200
  POST P/access_requests | | 201
  PUT P/access_requests/:user_id/approve | access_level | 201
  DELETE P/access_requests/:user_id | | 204
  GET G/access_requests | | 200
  POST G/access_requests | | 201
  PUT G/access_requests/:user_id/approve | access_level | 201
  DELETE G/access_requests/:user_id | | 204

  # Audit events (API, L4)
  GET /audit_events | created_after created_before entity_type entity_id | 200
  GET /audit_events/:id | | 200
`)
