/**
 * The operations of the documented API: the route, its parameters and the record of the response. `P` is short for
 * `/projects/:id`, `G` for `/groups/:id`, and parameters of the path are not repeated. `name!` must be given,
 * `name=a,b` takes these values, `actions.content` is a field of the entries of `actions`. `[Job]` is a list of records,
 * `raw` a file or a text, `-` no body or one that is not documented.
 */
export const OPERATIONS = `
  # Files of repositories
  GET P/repository/files/:file_path | ref! | File
  HEAD P/repository/files/:file_path | ref! | -
  GET P/repository/files/:file_path/blame | ref! | [BlameRange]
  HEAD P/repository/files/:file_path/blame | ref! | -
  GET P/repository/files/:file_path/raw | ref! | raw
  HEAD P/repository/files/:file_path/raw | ref! | -
  POST P/repository/files/:file_path | branch! start_branch encoding=base64 author_email author_name content! commit_message! | FileWritten
  PUT P/repository/files/:file_path | branch! start_branch encoding=base64 author_email author_name content! commit_message! last_commit_id | FileWritten
  DELETE P/repository/files/:file_path | branch! start_branch author_email author_name commit_message! last_commit_id | -

  # Repositories
  GET P/repository/tree | path ref recursive per_page | [TreeEntry]
  GET P/repository/blobs/:sha | | Blob
  GET P/repository/blobs/:sha/raw | | raw
  GET P/repository/archive | sha | raw
  GET P/repository/compare | from! to! straight | Compare
  GET P/repository/contributors | order_by=name,email,commits sort=asc,desc | [Contributor]
  GET P/repository/merge_base | refs! | Commit
  GET P/snapshot | wiki | raw

  # Commits
  GET P/repository/commits | ref_name since until path all with_stats first_parent | [Commit]
  POST P/repository/commits | branch! commit_message! start_branch start_sha start_project actions! actions.action=create,delete,move,update,chmod actions.file_path actions.previous_path actions.content actions.encoding=text,base64 actions.last_commit_id actions.execute_filemode author_email author_name stats force | CommitWithStats
  GET P/repository/commits/:sha | stats | CommitWithStats
  GET P/repository/commits/:sha/refs | type=branch,tag,all page per_page | [Reference]
  POST P/repository/commits/:sha/cherry_pick | branch! | Commit
  POST P/repository/commits/:sha/revert | branch! | Commit
  GET P/repository/commits/:sha/diff | | [Diff]
  GET P/repository/commits/:sha/comments | | [CommitComment]
  POST P/repository/commits/:sha/comments | note! path line line_type=new,old | CommitComment
  GET P/repository/commits/:sha/statuses | ref stage name all page per_page | [CommitStatus]

  # Tags
  GET P/repository/tags | order_by=name,updated sort=asc,desc search | [Tag]
  GET P/repository/tags/:tag_name | | Tag
  POST P/repository/tags | tag_name! ref! message release_description | Tag
  DELETE P/repository/tags/:tag_name | | -
  POST P/repository/tags/:tag_name/release | description! | TagRelease
  PUT P/repository/tags/:tag_name/release | description! | TagRelease

  # Releases
  GET P/releases | page per_page | [Release]
  GET P/releases/:tag_name | | Release
  POST P/releases | name! tag_name! description! ref milestones assets.links.name assets.links.url released_at | Release
  PUT P/releases/:tag_name | name description milestones released_at | Release

  # Notes
  GET P/issues/:issue_iid/notes | sort=asc,desc order_by=created_at,updated_at page per_page | [Note]
  GET P/issues/:issue_iid/notes/:note_id | | Note
  POST P/issues/:issue_iid/notes | body! created_at | Note
  PUT P/issues/:issue_iid/notes/:note_id | body! | Note
  DELETE P/issues/:issue_iid/notes/:note_id | | -
  GET P/snippets/:snippet_id/notes | sort=asc,desc order_by=created_at,updated_at page per_page | [Note]
  GET P/snippets/:snippet_id/notes/:note_id | | Note
  POST P/snippets/:snippet_id/notes | body! created_at | Note
  PUT P/snippets/:snippet_id/notes/:note_id | body! | Note
  DELETE P/snippets/:snippet_id/notes/:note_id | | -
  GET P/merge_requests/:merge_request_iid/notes | sort=asc,desc order_by=created_at,updated_at page per_page | [Note]
  GET P/merge_requests/:merge_request_iid/notes/:note_id | | Note
  POST P/merge_requests/:merge_request_iid/notes | body! created_at | Note
  PUT P/merge_requests/:merge_request_iid/notes/:note_id | body! | Note
  DELETE P/merge_requests/:merge_request_iid/notes/:note_id | | -
  GET G/epics/:epic_id/notes | sort=asc,desc order_by=created_at,updated_at page per_page | [Note]
  GET G/epics/:epic_id/notes/:note_id | | Note
  POST G/epics/:epic_id/notes | body! | Note
  PUT G/epics/:epic_id/notes/:note_id | body! | Note
  DELETE G/epics/:epic_id/notes/:note_id | | -

  # Groups
  GET /groups | skip_groups all_available search order_by=name,path,id sort=asc,desc statistics with_custom_attributes owned min_access_level custom_attributes | [Group]
  GET G/subgroups | skip_groups all_available search order_by=name,path,id sort=asc,desc statistics with_custom_attributes owned min_access_level | [Group]
  GET G/projects | archived visibility=public,internal,private order_by=id,name,path,created_at,updated_at,last_activity_at sort=asc,desc search simple owned starred with_issues_enabled with_merge_requests_enabled with_shared include_subgroups min_access_level with_custom_attributes with_security_reports | [Project]
  GET G | with_custom_attributes with_projects | GroupDetail
  POST /groups | name! path! description visibility=private,internal,public share_with_group_lock require_two_factor_authentication two_factor_grace_period project_creation_level=noone,maintainer,developer auto_devops_enabled subgroup_creation_level=owner,maintainer emails_disabled lfs_enabled request_access_enabled parent_id shared_runners_minutes_limit extra_shared_runners_minutes_limit | Group
  POST G/projects/:project_id | | -
  PUT G | name path description membership_lock share_with_group_lock | Group

  # Issues
  GET /issues | state=opened,closed labels with_labels_details milestone scope=created_by_me,assigned_to_me,all author_id author_username assignee_id assignee_username my_reaction_emoji weight iids order_by=created_at,updated_at,priority,due_date,relative_position,label_priority,milestone_due,popularity,weight sort=asc,desc search in created_after created_before updated_after updated_before confidential not not.labels not.milestone not.author_id not.author_username not.assignee_id not.assignee_username not.my_reaction_emoji not.search not.in | [Issue]
  GET G/issues | state=opened,closed labels with_labels_details milestone scope=created_by_me,assigned_to_me,all author_id author_username assignee_id assignee_username my_reaction_emoji weight iids order_by=created_at,updated_at,priority,due_date,relative_position,label_priority,milestone_due,popularity,weight sort=asc,desc search created_after created_before updated_after updated_before confidential not not.labels not.milestone not.author_id not.author_username not.assignee_id not.assignee_username not.my_reaction_emoji not.search not.in | [Issue]
  GET P/issues | state=opened,closed labels with_labels_details milestone scope=created_by_me,assigned_to_me,all author_id author_username assignee_id assignee_username my_reaction_emoji weight iids order_by=created_at,updated_at,priority,due_date,relative_position,label_priority,milestone_due,popularity,weight sort=asc,desc search created_after created_before updated_after updated_before confidential not | [Issue]

  # Merge requests
  GET /merge_requests | state=opened,closed,locked,merged,all order_by=created_at,updated_at sort=asc,desc milestone view=simple labels created_after created_before updated_after updated_before scope=created_by_me,assigned_to_me,all author_id assignee_id approver_ids my_reaction_emoji source_branch target_branch search in wip=yes,no | [MergeRequest]
  GET P/merge_requests | iids state=opened,closed,locked,merged,all order_by=created_at,updated_at sort=asc,desc milestone view=simple labels created_after created_before updated_after updated_before scope=created_by_me,assigned_to_me,all author_id assignee_id approver_ids my_reaction_emoji source_branch target_branch search in wip=yes,no | [MergeRequest]
  GET G/merge_requests | state=opened,closed,locked,merged,all order_by=created_at,updated_at sort=asc,desc milestone view=simple labels created_after created_before updated_after updated_before scope=created_by_me,assigned_to_me,all author_id assignee_id approver_ids my_reaction_emoji | [MergeRequest]
  POST P/merge_requests/:merge_request_iid/unsubscribe | | MergeRequest
  POST P/merge_requests/:merge_request_iid/todo | | Todo
  GET P/merge_requests/:merge_request_iid/versions | | [DiffVersion]
  GET P/merge_requests/:merge_request_iid/versions/:version_id | | SingleDiffVersion
  POST P/merge_requests/:merge_request_iid/time_estimate | duration! | TimeStats
  POST P/merge_requests/:merge_request_iid/reset_time_estimate | | TimeStats
  POST P/merge_requests/:merge_request_iid/add_spent_time | duration! | TimeStats
  POST P/merge_requests/:merge_request_iid/reset_spent_time | | TimeStats
  GET P/merge_requests/:merge_request_iid/time_stats | | TimeStats

  # Runners
  GET /runners | scope=active,paused,online,offline type=instance_type,group_type,project_type status=active,paused,online,offline tag_list | [RunnerSummary]
  GET /runners/all | scope=active,paused,online,offline,specific,shared type=instance_type,group_type,project_type status=active,paused,online,offline tag_list | [RunnerSummary]
  GET /runners/:id | | Runner
  PUT /runners/:id | description active tag_list run_untagged locked access_level=not_protected,ref_protected maximum_timeout | Runner
  DELETE /runners/:id | | -
  GET /runners/:id/jobs | status=running,success,failed,canceled order_by=id sort=asc,desc | [RunnerJob]
  GET P/runners | scope=active,paused,online,offline type=instance_type,group_type,project_type status=active,paused,online,offline tag_list | [RunnerSummary]
  POST P/runners | runner_id! | RunnerSummary
  DELETE P/runners/:runner_id | | -
  POST /runners | token! description info active locked run_untagged tag_list access_level=not_protected,ref_protected maximum_timeout | RegisteredRunner
  DELETE /runners | token! | -
  POST /runners/verify | token! | -

  # Jobs
  GET P/jobs | scope=created,pending,running,failed,success,canceled,skipped,manual | [Job]
  GET P/pipelines/:pipeline_id/jobs | scope=created,pending,running,failed,success,canceled,skipped,manual | [Job]
  GET P/jobs/:job_id | | Job
  GET P/jobs/:job_id/artifacts | job_token | raw
  GET P/jobs/artifacts/:ref_name/download | job! job_token | raw
  GET P/jobs/:job_id/artifacts/*artifact_path | | raw
  GET P/jobs/artifacts/:ref_name/raw/*artifact_path | job! | raw
  GET P/jobs/:job_id/trace | | raw
  POST P/jobs/:job_id/cancel | | -

  # Pipelines
  GET P/pipelines | scope=running,pending,finished,branches,tags status=running,pending,success,failed,canceled,skipped ref sha yaml_errors name username order_by=id,status,ref,user_id sort=asc,desc | [Pipeline]
  GET P/pipelines/:pipeline_id | | SinglePipeline
  GET P/pipelines/:pipeline_id/variables | | [Variable]
  POST P/pipeline | ref! variables variables.key variables.variable_type=env_var,file variables.value | SinglePipeline
  POST P/pipelines/:pipeline_id/retry | | SinglePipeline
  POST P/pipelines/:pipeline_id/cancel | | SinglePipeline
  DELETE P/pipelines/:pipeline_id | | -

  # Deployments and environments
  GET P/deployments | order_by=id,iid,created_at,ref sort=asc,desc | [Deployment]
  GET P/deployments/:deployment_id | | Deployment
  POST P/deployments | environment! sha! ref! tag! status!=created,running,success,failed,canceled | Deployment
  PUT P/deployments/:deployment_id | status!=created,running,success,failed,canceled | Deployment
  GET P/environments | name search | [Environment]
  GET P/environments/:environment_id | | SingleEnvironment
  POST P/environments | name! external_url | Environment
  PUT P/environments/:environment_id | name external_url | Environment
  DELETE P/environments/:environment_id | | -
  POST P/environments/:environment_id/stop | | Environment

  # Projects
  GET /projects | archived visibility=public,internal,private order_by=id,name,path,created_at,updated_at,last_activity_at sort=asc,desc search simple owned membership starred statistics with_custom_attributes with_issues_enabled with_merge_requests_enabled with_programming_language wiki_checksum_failed repository_checksum_failed min_access_level custom_attributes | [Project]
  GET /users/:user_id/projects | archived visibility=public,internal,private order_by=id,name,path,created_at,updated_at,last_activity_at sort=asc,desc search simple owned membership starred statistics with_custom_attributes with_issues_enabled with_merge_requests_enabled with_programming_language min_access_level custom_attributes | [Project]
  DELETE P | | -
  POST P/uploads | file! | Upload
  POST P/share | group_id! group_access! expires_at | ProjectShare
  DELETE P/share/:group_id | | -
  POST P/fork/:forked_from_id | | -
  DELETE P/fork | | -
  POST P/housekeeping | | -
  PUT P/transfer | namespace! | -
  POST P/mirror/pull | | -

  # Hooks
  GET P/hooks | | [Hook]
  GET P/hooks/:hook_id | | Hook
  POST P/hooks | url! push_events push_events_branch_filter issues_events confidential_issues_events merge_requests_events tag_push_events note_events job_events pipeline_events wiki_page_events enable_ssl_verification token | Hook
  PUT P/hooks/:hook_id | url! push_events push_events_branch_filter issues_events confidential_issues_events merge_requests_events tag_push_events note_events job_events pipeline_events wiki_events enable_ssl_verification token | Hook
  DELETE P/hooks/:hook_id | | -

  # Push rules
  GET P/push_rule | | PushRule
  POST P/push_rule | deny_delete_tag member_check prevent_secrets commit_message_regex commit_message_negative_regex branch_name_regex author_email_regex file_name_regex max_file_size commit_committer_check reject_unsigned_commits | PushRule
  PUT P/push_rule | deny_delete_tag member_check prevent_secrets commit_message_regex commit_message_negative_regex branch_name_regex author_email_regex file_name_regex max_file_size commit_committer_check reject_unsigned_commits | PushRule
  DELETE P/push_rule | | -

  # Snippets
  GET P/snippets | | [Snippet]
  GET P/snippets/:snippet_id | | Snippet
  POST P/snippets | title! file_name! description content! visibility!=private,internal,public | Snippet
  PUT P/snippets/:snippet_id | title file_name description content visibility=private,internal,public | Snippet
  DELETE P/snippets/:snippet_id | | -
  GET P/snippets/:snippet_id/raw | | raw
  GET P/snippets/:snippet_id/user_agent_detail | | UserAgentDetail

  # Users
  GET /users | search username active blocked extern_uid provider external created_after created_before custom_attributes with_custom_attributes order_by=id,name,username,created_at,updated_at sort=asc,desc two_factor=enabled,disabled | [PublicUser]
  GET /users/:id | with_custom_attributes | SingleUser
  POST /users | email! username! name! password reset_password force_random_password skype linkedin twitter website_url organization projects_limit extern_uid provider bio location public_email admin can_create_group skip_confirmation external avatar private_profile shared_runners_minutes_limit extra_shared_runners_minutes_limit | User
  PUT /users/:id | email username name password skype linkedin twitter website_url organization projects_limit extern_uid provider group_id_for_saml bio location public_email admin can_create_group skip_reconfirmation external avatar private_profile shared_runners_minutes_limit extra_shared_runners_minutes_limit note | User
  DELETE /users/:id | hard_delete | -
  GET /user | | User
  GET /user/status | | UserStatus
  GET /users/:id_or_username/status | | UserStatus
  PUT /user/status | emoji message | UserStatus
  GET /user_counts | | UserCounts
  GET /user/keys | | [SshKey]

  # Integrations
  GET P/services/:slug | | Integration
  PUT P/services/:slug | push_events issues_events confidential_issues_events merge_requests_events tag_push_events note_events pipeline_events wiki_page_events confidental_note_events commit_events active api_key restrict_to_branch token subdomain vendor_url build_key username password new_issue_url issues_url project_url description title enable_ssl_verification room recipients disable_diffs send_from_committer_email external_wiki_url repository_url static_context webhook notify_only_broken_pipelines notify_only_default_branch branches_to_be_notified=all,default,protected,default_and_protected color notify api_version server default_irc_uri server_host server_port colorize_messages url api_url vendor_issue_transition_id | -
  DELETE P/services/:slug | | -

  # Settings of the instance
  GET /application/settings | | Settings
  PUT /application/settings | admin_notification_email after_sign_out_path after_sign_up_text akismet_enabled akismet_api_key allow_group_owners_to_manage_ldap allow_local_requests_from_hooks_and_services allow_local_requests_from_system_hooks allow_local_requests_from_web_hooks_and_services archive_builds_in_human_readable asset_proxy_enabled asset_proxy_secret_key asset_proxy_url asset_proxy_whitelist authorized_keys_enabled auto_devops_domain auto_devops_enabled check_namespace_plan commit_email_hostname container_registry_token_expire_delay default_artifacts_expire_in default_branch_protection default_group_visibility=private,internal,public default_project_visibility=private,internal,public default_snippet_visibility=private,internal,public default_project_creation default_projects_limit diff_max_patch_bytes disabled_oauth_sign_in_sources dns_rebinding_protection_enabled domain_blacklist_enabled domain_blacklist domain_whitelist dsa_key_restriction ecdsa_key_restriction ed25519_key_restriction elasticsearch_aws elasticsearch_indexing elasticsearch_limit_indexing elasticsearch_search elasticsearch_aws_access_key elasticsearch_aws_region elasticsearch_aws_secret_access_key elasticsearch_url elasticsearch_namespace_ids elasticsearch_project_ids email_additional_text email_author_in_body enabled_git_access_protocol enforce_terms external_auth_client_cert external_auth_client_key external_auth_client_key_pass external_authorization_service_enabled external_authorization_service_default_label external_authorization_service_url external_authorization_service_timeout file_template_project_id first_day_of_week geo_node_allowed_ips geo_status_timeout gitaly_timeout_default gitaly_timeout_fast gitaly_timeout_medium grafana_enabled grafana_url gravatar_enabled hashed_storage_enabled help_page_hide_commercial_content help_page_support_url help_page_text terms | Settings

  # Notification settings
  GET /notification_settings | | GlobalNotificationSettings
  PUT /notification_settings | level=disabled,participating,watch,global,mention,custom notification_email new_note new_issue reopen_issue close_issue reassign_issue issue_due new_merge_request push_to_merge_request reopen_merge_request close_merge_request reassign_merge_request merge_merge_request failed_pipeline success_pipeline new_epic | GlobalNotificationSettings
  GET G/notification_settings | | NotificationSettings
  GET P/notification_settings | | NotificationSettings
  PUT G/notification_settings | level=disabled,participating,watch,global,mention,custom new_note new_issue reopen_issue close_issue reassign_issue issue_due new_merge_request push_to_merge_request reopen_merge_request close_merge_request reassign_merge_request merge_merge_request failed_pipeline success_pipeline new_epic | NotificationSettings
  PUT P/notification_settings | level=disabled,participating,watch,global,mention,custom new_note new_issue reopen_issue close_issue reassign_issue issue_due new_merge_request push_to_merge_request reopen_merge_request close_merge_request reassign_merge_request merge_merge_request failed_pipeline success_pipeline new_epic | NotificationSettings

  # Audit events
  GET /audit_events | created_after created_before entity_type=User,Group,Project entity_id page per_page | [AuditEvent]
  GET /audit_events/:id | | AuditEvent
`

/** The slugs of the documented integrations, each with the parameters that only its kind takes; `!` must be given. */
export const INTEGRATIONS = `
  task-tracker | api_key! restrict_to_branch push_events
  project-management | token! subdomain push_events
  ci-server-a | vendor_url! build_key! username! password! push_events
  issue-tracker-a | new_issue_url! issues_url! project_url! description title push_events
  ci-service-a | token! project_url! enable_ssl_verification push_events
  group-chat-a | token! subdomain room push_events
  custom-issue-tracker | new_issue_url! issues_url! project_url! description title push_events
  ci-server-b | token! vendor_url! enable_ssl_verification push_events merge_requests_events tag_push_events
  emails-on-push | recipients! disable_diffs send_from_committer_email push_events tag_push_events
  external-wiki | external_wiki_url!
  team-chat-a | token! push_events
  code-host-status | token! repository_url! static_context
  team-chat-b | webhook! notify_only_broken_pipelines notify_only_default_branch branches_to_be_notified push_events issues_events confidential_issues_events merge_requests_events tag_push_events note_events pipeline_events wiki_page_events
  group-chat-b | token! color notify room api_version server push_events issues_events confidential_issues_events merge_requests_events tag_push_events note_events confidental_note_events pipeline_events
  irc-gateway | recipients! default_irc_uri server_host server_port colorize_messages push_events
  issue-tracker-b | url! api_url username! password! active vendor_issue_transition_id commit_events merge_requests_events
  chat-slash-commands-a | token!
`
