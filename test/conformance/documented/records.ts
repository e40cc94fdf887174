/**
 * The fields of each record of the documented API. A field of a field is `pipeline.id`, one of the entries of a list
 * `diffs.new_path`. Records that others contain are named in capitals: `author:PublicUser` stands for all of its fields.
 */
export const RECORDS = `
  PublicUser | id username name state avatar_url web_url
  SingleUser | id username name state avatar_url web_url created_at bio location public_email skype linkedin twitter
    website_url organization
  User | id username name state avatar_url web_url created_at bio location public_email skype linkedin twitter website_url
    organization email is_admin last_sign_in_at confirmed_at current_sign_in_at theme_id last_activity_on
    color_scheme_id projects_limit identities.provider identities.extern_uid can_create_group can_create_project
    two_factor_enabled external private_profile shared_runners_minutes_limit extra_shared_runners_minutes_limit
  UserStatus | emoji message message_html
  UserCounts | merge_requests
  SshKey | id title

  SimpleProject | id description default_branch ssh_url_to_repo http_url_to_repo web_url readme_url tag_list name
    name_with_namespace path path_with_namespace created_at last_activity_at forks_count avatar_url star_count
  Project | id description default_branch visibility ssh_url_to_repo http_url_to_repo web_url readme_url tag_list
    owner.id owner.name owner.created_at name name_with_namespace path path_with_namespace issues_enabled
    open_issues_count merge_requests_enabled jobs_enabled wiki_enabled snippets_enabled
    resolve_outdated_diff_discussions container_registry_enabled created_at last_activity_at creator_id namespace.id
    namespace.name namespace.path namespace.kind namespace.full_path import_status import_error
    permissions.project_access.access_level permissions.project_access.notification_level
    permissions.group_access.access_level permissions.group_access.notification_level archived avatar_url license_url
    license.key license.name license.nickname license.html_url license.source_url shared_runners_enabled forks_count
    star_count runners_token ci_default_git_depth public_jobs shared_with_groups.group_id
    shared_with_groups.group_name shared_with_groups.group_full_path shared_with_groups.group_access_level
    shared_with_groups.expires_at only_allow_merge_if_pipeline_succeeds
    only_allow_merge_if_all_discussions_are_resolved request_access_enabled merge_method statistics.commit_count
    statistics.storage_size statistics.repository_size statistics.wiki_size statistics.lfs_objects_size
    statistics.job_artifacts_size statistics.packages_size _links.self _links.issues _links.merge_requests
    _links.repo_branches _links.labels _links.events _links.members approvals_before_merge
  Upload | alt url markdown
  ProjectShare | group_id group_access expires_at

  Group | id name path description visibility share_with_group_lock require_two_factor_authentication
    two_factor_grace_period project_creation_level auto_devops_enabled subgroup_creation_level emails_disabled
    lfs_enabled avatar_url web_url request_access_enabled full_name full_path file_template_project_id parent_id
    statistics.storage_size statistics.repository_size statistics.wiki_size statistics.lfs_objects_size
    statistics.job_artifacts_size statistics.packages_size
  GroupDetail | id name path description visibility share_with_group_lock require_two_factor_authentication
    two_factor_grace_period project_creation_level auto_devops_enabled subgroup_creation_level emails_disabled
    lfs_enabled avatar_url web_url request_access_enabled full_name full_path file_template_project_id parent_id
    runners_token projects:Project shared_projects:Project shared_runners_minutes_limit
    extra_shared_runners_minutes_limit

  File | file_name file_path size encoding content content_sha256 ref blob_id commit_id last_commit_id
  FileWritten | file_path branch
  TreeEntry | id name type path mode
  Blob | size content
  BlameRange | commit.id commit.message commit.parent_ids commit.authored_date commit.author_name commit.author_email
    commit.committed_date commit.committer_name commit.committer_email lines
  Contributor | name email commits additions deletions
  Compare | commit commits:Commit diffs:Diff compare_timeout compare_same_ref

  Commit | id short_id title message author_name author_email authored_date committer_name committer_email committed_date
    created_at parent_ids
  CommitWithStats | id short_id title message author_name author_email authored_date committer_name committer_email
    committed_date created_at parent_ids stats.additions stats.deletions stats.total status last_pipeline.id
    last_pipeline.ref last_pipeline.sha last_pipeline.status
  Diff | diff new_path old_path a_mode b_mode new_file renamed_file deleted_file
  CommitComment | note author:PublicUser path line line_type created_at
  Reference | type name
  CommitStatus | status created_at started_at name allow_failure author:PublicUser
  Tag | name message target commit:Commit release.tag_name release.description protected
  TagRelease | tag_name description
  Release | tag_name name description description_html created_at released_at author:PublicUser commit:Commit
    milestones:Milestone commit_path tag_path assets.count assets.sources.format assets.sources.url assets.links.id
    assets.links.name assets.links.url assets.links.external
  Milestone | id iid project_id title description state created_at updated_at due_date start_date web_url

  TimeStats | time_estimate total_time_spent human_time_estimate human_total_time_spent
  Issue | id iid project_id title description state author:PublicUser assignees:PublicUser assignee:PublicUser
    milestone:Milestone labels created_at updated_at closed_at closed_by:PublicUser upvotes downvotes
    merge_requests_count user_notes_count due_date web_url time_stats:TimeStats has_tasks task_status
    task_completion_status.count task_completion_status.completed_count confidential discussion_locked _links.self
    _links.notes _links.award_emoji _links.project weight
  MergeRequest | id iid project_id title description state merged_by:PublicUser merged_at closed_by:PublicUser closed_at
    created_at updated_at target_branch source_branch upvotes downvotes author:PublicUser assignee:PublicUser
    assignees:PublicUser source_project_id target_project_id labels work_in_progress milestone:Milestone
    merge_when_pipeline_succeeds merge_status sha merge_commit_sha user_notes_count discussion_locked
    should_remove_source_branch force_remove_source_branch allow_collaboration allow_maintainer_to_push web_url
    time_stats:TimeStats squash task_completion_status approvals_before_merge
  DiffVersion | id head_commit_sha base_commit_sha start_commit_sha created_at merge_request_id state real_size
  SingleDiffVersion | id head_commit_sha base_commit_sha start_commit_sha created_at merge_request_id state real_size
    commits:Commit diffs:Diff
  Todo | id project.id project.name project.name_with_namespace project.path project.path_with_namespace
    author:PublicUser action_name target_type target target_url body state created_at
  Note | id body attachment author:PublicUser created_at updated_at system noteable_id noteable_type noteable_iid
    resolvable
  Snippet | id title file_name description author:PublicUser updated_at created_at web_url visibility
  UserAgentDetail | user_agent ip_address akismet_submitted

  Pipeline | id status ref sha web_url created_at updated_at
  SinglePipeline | id status ref sha web_url created_at updated_at before_sha tag yaml_errors user:PublicUser started_at
    finished_at committed_at duration coverage
  Variable | key variable_type value
  Job | id name stage status ref tag coverage allow_failure created_at started_at finished_at duration
    artifacts_expire_at pipeline.id pipeline.ref pipeline.sha pipeline.status runner user:PublicUser commit.id
    commit.short_id commit.title commit.message commit.author_name commit.author_email commit.created_at web_url
    artifacts.file_type artifacts.size artifacts.filename artifacts.file_format artifacts_file.filename
    artifacts_file.size
  RunnerJob | id name stage status ref tag coverage allow_failure created_at started_at finished_at duration pipeline.id
    pipeline.ref pipeline.sha pipeline.status user:PublicUser commit:Commit web_url ip_address project
  RunnerSummary | id description name active is_shared ip_address online status
  Runner | id description name active is_shared ip_address online status architecture platform contacted_at projects.id
    projects.name projects.name_with_namespace projects.path projects.path_with_namespace token revision version
    tag_list access_level maximum_timeout
  RegisteredRunner | id token
  Deployment | id iid ref sha created_at updated_at status user:PublicUser environment.id environment.name
    environment.external_url deployable:Job
  Environment | id name slug external_url state
  SingleEnvironment | id name slug external_url state last_deployment:Deployment

  Hook | id url project_id push_events push_events_branch_filter issues_events confidential_issues_events
    merge_requests_events tag_push_events note_events job_events pipeline_events wiki_page_events
    enable_ssl_verification created_at
  PushRule | id project_id commit_message_regex commit_message_negative_regex branch_name_regex author_email_regex
    file_name_regex deny_delete_tag member_check prevent_secrets commit_committer_check reject_unsigned_commits
    max_file_size created_at
  Integration | id title created_at updated_at active push_events issues_events confidential_issues_events
    merge_requests_events tag_push_events note_events job_events pipeline_events properties
  Settings | id created_at updated_at signup_enabled password_authentication_enabled_for_web sign_in_text home_page_url
    max_attachment_size session_expire_delay user_oauth_applications restricted_visibility_levels repository_storages
    plantuml_enabled plantuml_url terminal_max_session_time polling_interval_multiplier rsa_key_restriction terms
    performance_bar_allowed_group_id instance_statistics_visibility_private user_show_add_ssh_key_message
    local_markdown_version outbound_local_requests_whitelist file_template_project_id geo_node_allowed_ips
  GlobalNotificationSettings | level notification_email
  NotificationSettings | level events.new_note events.new_issue events.reopen_issue events.close_issue
    events.reassign_issue events.issue_due events.new_merge_request events.push_to_merge_request
    events.reopen_merge_request events.close_merge_request events.reassign_merge_request events.merge_merge_request
    events.failed_pipeline events.success_pipeline events.new_epic
  AuditEvent | id author_id entity_id entity_type details created_at
`
