import { fullRoute } from './rows.js'

/** `s` text, `dt` date and time, `d` day, `i` integer, `f` number, `b` boolean, `o` object, `[x]` list of those. */
export type FieldType = 's' | 'dt' | 'd' | 'i' | 'f' | 'b' | 'o' | 'null' | '[s]' | '[i]' | '[o]'

export interface FieldRow {
  name: string
  type: FieldType
  isNullable: boolean
  /** Whether some responses do without it, for good reasons. */
  mayBeAbsent: boolean
}

/** A record, and what an owner of the project who is an administrator finds in it. */
export interface RecordRow {
  /** With its query, if it takes one. */
  route: string
  /** The path of the record in the response; in a list, the first element. */
  at: string[]
  fields: FieldRow[]
}

const TYPES = new Set<string>(['s', 'dt', 'd', 'i', 'f', 'b', 'o', 'null', '[s]', '[i]', '[o]'])

/**
 * Reads a line of the form `GET P/jobs/:job_id > pipeline` and, below it, `id:i user:o?`: with `?` it may be null, with
 * `~` it may be left out.
 */
function recordsOf(table: string): RecordRow[] {
  const rows: RecordRow[] = []
  for (const line of table.split('\n').map((text) => text.trim())) {
    if (/^(GET|POST) /.test(line)) rows.push(rowOf(line))
    else if (line !== '') rows.at(-1)?.fields.push(...line.split(' ').map(fieldOf))
  }
  return rows
}

function rowOf(line: string): RecordRow {
  const [route = '', at = ''] = line.split(' > ')
  return { route: fullRoute(route), at: at === '' ? [] : at.split('.'), fields: [] }
}

function fieldOf(text: string): FieldRow {
  const [, name = '', type = '', marks = ''] = /^(\w+):(\w+|\[\w\])([?~]*)$/.exec(text) ?? []
  if (!isType(type)) throw new Error(`${text} is no field`)
  return { name, type, isNullable: marks.includes('?'), mayBeAbsent: marks.includes('~') }
}

function isType(text: string): text is FieldType {
  return TYPES.has(text)
}

/** Users (API, H). */
const userRecords = recordsOf(`
  GET /users
    id:i username:s name:s state:s avatar_url:s? web_url:s
  GET /users/:id
    id:i username:s name:s state:s avatar_url:s? web_url:s created_at:dt bio:s? location:s?
    public_email:s? skype:s? linkedin:s? twitter:s? website_url:s? organization:s? job_title:s?
    pronouns:s? work_information:s? bot:b email:s is_admin:b last_sign_in_at:dt? confirmed_at:dt?
    current_sign_in_at:dt? theme_id:i last_activity_on:d? color_scheme_id:i projects_limit:i
    identities:[o] can_create_group:b can_create_project:b two_factor_enabled:b external:b
    private_profile:b note:s? namespace_id:i? created_by:o? locked:b sign_in_count:i commit_email:s
    last_sign_in_ip:s? current_sign_in_ip:s?
  GET /users/:id > identities
    provider:s extern_uid:s
  GET /user
    id:i username:s name:s state:s avatar_url:s? web_url:s created_at:dt bio:s? location:s? email:s
    is_admin:b identities:[o] can_create_group:b can_create_project:b two_factor_enabled:b external:b
    private_profile:b confirmed_at:dt? projects_limit:i last_activity_on:d? commit_email:s
  GET /user/status
    emoji:s? message:s? message_html:s availability:s clear_status_at:dt?
  GET P/events
    id:i project_id:i? action_name:s target_id:i? target_iid:i? target_type:s? author_id:i target_title:s?
    created_at:dt author:o author_username:s push_data:o~ note:o~ wiki_page:o~
  GET /user_counts
    merge_requests:i assigned_issues:i assigned_merge_requests:i review_requested_merge_requests:i
    todos:i
  GET /user/keys
    id:i title:s key:s created_at:dt expires_at:dt? last_used_at:dt? usage_type:s
  GET /user/emails
    id:i email:s confirmed_at:dt?
  GET /user/gpg_keys
    id:i key:s created_at:dt
  GET /user/activities
    username:s last_activity_on:d last_activity_at:dt
  GET /users/:id/memberships
    source_id:i source_name:s source_type:s access_level:i
  GET /keys/:id
    id:i title:s key:s created_at:dt expires_at:dt? user:o
  GET /personal_access_tokens/:id
    id:i name:s revoked:b created_at:dt scopes:[s] user_id:i last_used_at:dt? active:b expires_at:d?
    description:s?
  POST /users/:user_id/personal_access_tokens
    id:i token:s expires_at:d? active:b
  GET /users/:user_id/impersonation_tokens/:impersonation_token_id
    id:i name:s revoked:b created_at:dt scopes:[s] active:b expires_at:d? impersonation:b
  GET P/access_tokens/:token_id
    id:i name:s revoked:b created_at:dt scopes:[s] user_id:i active:b expires_at:d? access_level:i
    last_used_at:dt?
  GET P/deploy_tokens/:token_id
    id:i name:s username:s expires_at:dt? scopes:[s] revoked:b expired:b
  GET /applications
    id:i application_id:s application_name:s callback_url:s confidential:b
  GET P/deploy_keys/:key_id
    id:i title:s key:s fingerprint:s created_at:dt can_push:b expires_at:dt?
`)

/** Members and groups (API, C3, C4, D). */
const peopleRecords = recordsOf(`
  GET P/members/:user_id
    id:i username:s name:s state:s avatar_url:s? web_url:s access_level:i expires_at:d? created_at:dt
    created_by:o~ membership_state:s locked:b email:s
  GET P/access_requests
    id:i username:s requested_at:dt
  GET P/job_token_scope
    inbound_enabled:b outbound_enabled:b
  GET P/job_token_scope/allowlist
    id:i description:s? name:s name_with_namespace:s path:s path_with_namespace:s created_at:dt
    default_branch:s? tag_list:[s] topics:[s] ssh_url_to_repo:s http_url_to_repo:s web_url:s avatar_url:s?
    star_count:i last_activity_at:dt namespace:o
  GET P/job_token_scope/groups_allowlist
    id:i web_url:s name:s
  GET P/badges/:badge_id
    id:i name:s? link_url:s image_url:s rendered_link_url:s rendered_image_url:s kind:s
  GET P/custom_attributes/:key
    key:s value:s
  GET G
    id:i name:s path:s description:s? visibility:s share_with_group_lock:b
    require_two_factor_authentication:b two_factor_grace_period:i project_creation_level:s
    auto_devops_enabled:b? subgroup_creation_level:s emails_disabled:b? lfs_enabled:b avatar_url:s?
    web_url:s request_access_enabled:b full_name:s full_path:s file_template_project_id:i? parent_id:i?
    created_at:dt default_branch_protection:i mentions_disabled:b? shared_with_groups:[o]
    shared_runners_setting:s default_branch:s? runners_token:s? projects:[o] shared_projects:[o]
    marked_for_deletion_on:d?
  GET G > shared_with_groups
    group_id:i group_name:s group_full_path:s group_access_level:i expires_at:d?
  GET /groups?statistics=true
    id:i name:s path:s full_path:s parent_id:i? visibility:s statistics:o
  GET /groups?statistics=true > statistics
    storage_size:i repository_size:i wiki_size:i lfs_objects_size:i job_artifacts_size:i packages_size:i
  GET /namespaces/:id
    id:i name:s path:s kind:s full_path:s parent_id:i? avatar_url:s? web_url:s
    members_count_with_descendants:i~ billable_members_count:i~ plan:s~
  GET /namespaces/:id/exists
    exists:b suggests:[s]
`)

/** Projects (API, C1, C2). */
const projectRecords = recordsOf(`
  GET P?statistics=true&license=true
    id:i description:s? default_branch:s? visibility:s ssh_url_to_repo:s http_url_to_repo:s web_url:s
    readme_url:s? tag_list:[s] topics:[s] owner:o~ name:s name_with_namespace:s path:s
    path_with_namespace:s issues_enabled:b open_issues_count:i merge_requests_enabled:b jobs_enabled:b
    wiki_enabled:b snippets_enabled:b resolve_outdated_diff_discussions:b container_registry_enabled:b
    created_at:dt last_activity_at:dt creator_id:i namespace:o import_status:s import_error:s?~
    permissions:o archived:b avatar_url:s? license_url:s?~ license:o?~ shared_runners_enabled:b
    forks_count:i star_count:i runners_token:s ci_default_git_depth:i public_jobs:b
    shared_with_groups:[o] only_allow_merge_if_pipeline_succeeds:b
    only_allow_merge_if_all_discussions_are_resolved:b request_access_enabled:b merge_method:s
    statistics:o~ _links:o empty_repo:b can_create_merge_request_in:b remove_source_branch_after_merge:b
    squash_option:s auto_cancel_pending_pipelines:s build_git_strategy:s build_timeout:i
    build_coverage_regex:s? ci_config_path:s? ci_forward_deployment_enabled:b
    ci_job_token_scope_enabled:b keep_latest_artifact:b restrict_user_defined_variables:b lfs_enabled:b
    packages_enabled:b emails_disabled:b forked_from_project:o~ mirror:b group_runners_enabled:b
    allow_merge_on_skipped_pipeline:b autoclose_referenced_issues:b auto_devops_enabled:b
    auto_devops_deploy_strategy:s suggestion_commit_message:s? merge_commit_template:s?
    squash_commit_template:s? service_desk_enabled:b printing_merge_request_link_enabled:b
    external_authorization_classification_label:s? marked_for_deletion_at:d?~ marked_for_deletion_on:d?~
  GET P?statistics=true&license=true > namespace
    id:i name:s path:s kind:s full_path:s
  GET P?statistics=true&license=true > owner
    id:i name:s created_at:dt
  GET P?statistics=true&license=true > permissions
    project_access:o? group_access:o?
  GET P?statistics=true&license=true > permissions.project_access
    access_level:i notification_level:i
  GET P?statistics=true&license=true > shared_with_groups
    group_id:i group_name:s group_full_path:s group_access_level:i expires_at:d?
  GET P?statistics=true&license=true > statistics
    commit_count:i storage_size:i repository_size:i wiki_size:i lfs_objects_size:i job_artifacts_size:i
    packages_size:i
  GET P?statistics=true&license=true > license
    key:s name:s nickname:s? html_url:s source_url:s?
  GET P?statistics=true&license=true > _links
    self:s repo_branches:s labels:s events:s members:s
  POST P/share
    id:i project_id:i group_id:i group_access:i expires_at:d?
  GET P/starrers
    starred_since:dt user:o
  GET P/import
    id:i description:s? name:s path:s path_with_namespace:s import_status:s import_error:s?
    import_type:s?
  GET P/export
    id:i description:s? name:s name_with_namespace:s path:s path_with_namespace:s created_at:dt
    export_status:s _links:o~
  POST P/uploads
    alt:s url:s full_path:s markdown:s
`)

/** Repository (API, E). */
const repositoryRecords = recordsOf(`
  GET P/repository/files/:file_path?ref=main
    file_name:s file_path:s size:i encoding:s content:s content_sha256:s ref:s blob_id:s commit_id:s
    last_commit_id:s execute_filemode:b
  POST P/repository/files/:file_path
    file_path:s branch:s
  GET P/repository/tree
    id:s name:s type:s path:s mode:s
  GET P/repository/files/:file_path/blame?ref=main
    commit:o lines:[s]
  GET P/repository/files/:file_path/blame?ref=main > commit
    id:s message:s parent_ids:[s] authored_date:dt author_name:s author_email:s committed_date:dt
    committer_name:s committer_email:s
  GET P/repository/contributors
    name:s email:s commits:i additions:i deletions:i
  GET P/repository/compare?from=v1.0&to=main
    commit:o? commits:[o] diffs:[o] compare_timeout:b compare_same_ref:b web_url:s
  GET P/repository/compare?from=v1.0&to=main > diffs
    diff:s new_path:s old_path:s a_mode:s b_mode:s new_file:b renamed_file:b deleted_file:b
  GET P/repository/blobs/:sha
    size:i encoding:s content:s sha:s
  GET P/repository/commits/:sha
    id:s short_id:s title:s message:s author_name:s author_email:s authored_date:dt committer_name:s
    committer_email:s committed_date:dt created_at:dt parent_ids:[s] stats:o status:s? last_pipeline:o?
    project_id:i web_url:s trailers:o extended_trailers:o
  GET P/repository/commits/:sha > stats
    additions:i deletions:i total:i
  GET P/repository/commits/:sha > last_pipeline
    id:i iid:i project_id:i sha:s ref:s status:s source:s created_at:dt updated_at:dt web_url:s
  GET P/repository/commits/:sha/diff
    diff:s new_path:s old_path:s a_mode:s b_mode:s new_file:b renamed_file:b deleted_file:b
  GET P/repository/commits/:sha/comments
    note:s author:o? path:s? line:i? line_type:s? created_at:dt
  GET P/repository/commits/:sha/refs
    type:s name:s
  GET P/repository/commits/:sha/statuses
    id:i sha:s ref:s status:s name:s target_url:s? description:s? created_at:dt started_at:dt?
    finished_at:dt? allow_failure:b coverage:f? pipeline_id:i author:o?
  GET P/repository/tags/:tag_name
    name:s message:s? target:s commit:o release:o? protected:b created_at:dt?
  GET P/repository/tags/:tag_name > release
    tag_name:s description:s?
  GET P/repository/branches/:branch
    name:s merged:b protected:b default:b developers_can_push:b developers_can_merge:b can_push:b
    web_url:s commit:o
  GET P/protected_branches/:name
    id:i name:s push_access_levels:[o] merge_access_levels:[o] allow_force_push:b
    code_owner_approval_required:b inherited:b unprotect_access_levels:[o]
  GET P/protected_branches/:name > push_access_levels
    id:i access_level:i? access_level_description:s user_id:i? group_id:i?
  GET P/protected_tags/:name
    name:s create_access_levels:[o]
  GET P/protected_environments/:name
    name:s deploy_access_levels:[o] required_approval_count:i approval_rules:[o]
  GET P/protected_environments/:name > deploy_access_levels
    id:i access_level:i? access_level_description:s user_id:i? group_id:i? group_inheritance_type:i
  GET P/protected_environments/:name > approval_rules
    id:i access_level:i? access_level_description:s user_id:i? group_id:i? group_inheritance_type:i
    required_approvals:i
`)

/** Releases (API, J). */
const releaseRecords = recordsOf(`
  GET P/releases/:tag_name?include_html_description=true
    tag_name:s name:s description:s? description_html:s created_at:dt released_at:dt author:o? commit:o
    milestones:[o] commit_path:s tag_path:s assets:o upcoming_release:b historical_release:b
    evidences:[o] _links:o
  GET P/releases/:tag_name?include_html_description=true > assets
    count:i sources:[o] links:[o]
  GET P/releases/:tag_name?include_html_description=true > assets.links
    id:i name:s url:s direct_asset_url:s link_type:s external:b
  GET P/releases/:tag_name?include_html_description=true > evidences
    sha:s filepath:s collected_at:dt
  GET P/releases/:tag_name/assets/links/:link_id
    id:i name:s url:s external:b direct_asset_url:s link_type:s
`)

/** Pipelines (API, I3). */
const pipelineRecords = recordsOf(`
  GET P/pipelines
    id:i iid:i project_id:i status:s ref:s sha:s source:s web_url:s created_at:dt updated_at:dt name:s?
  GET P/pipelines/:pipeline_id
    id:i iid:i project_id:i status:s ref:s sha:s source:s web_url:s created_at:dt updated_at:dt name:s?
    before_sha:s tag:b yaml_errors:s? user:o? started_at:dt? finished_at:dt? committed_at:dt?
    duration:i? queued_duration:i? coverage:s? detailed_status:o archived:b
  GET P/pipelines/:pipeline_id > detailed_status
    icon:s text:s label:s group:s tooltip:s has_details:b details_path:s illustration:null favicon:s
  GET P/pipelines/:pipeline_id/variables
    key:s variable_type:s value:s
  GET P/pipelines/:pipeline_id/test_report
    total_time:f total_count:i success_count:i failed_count:i skipped_count:i error_count:i
    test_suites:[o]
  GET P/pipelines/:pipeline_id/test_report > test_suites
    name:s total_time:f total_count:i success_count:i failed_count:i skipped_count:i error_count:i
    suite_error:s? test_cases:[o]
  GET P/pipelines/:pipeline_id/test_report > test_suites.test_cases
    status:s name:s classname:s file:s? execution_time:f stack_trace:null
  GET P/pipelines/:pipeline_id/test_report_summary > total
    time:f count:i success:i failed:i skipped:i error:i suite_error:s?
  GET P/pipelines/:pipeline_id/test_report_summary > test_suites
    name:s total_count:i build_ids:[i]
  GET P/pipelines/:pipeline_id/bridges
    id:i name:s stage:s status:s allow_failure:b pipeline:o downstream_pipeline:o? web_url:s
`)

/** Jobs (API, I4). */
const jobRecords = recordsOf(`
  GET P/jobs/:job_id
    id:i name:s stage:s status:s ref:s tag:b coverage:f? allow_failure:b created_at:dt started_at:dt?
    finished_at:dt? duration:f? queued_duration:f? erased_at:dt? artifacts_expire_at:dt? pipeline:o
    runner:o? user:o? commit:o? web_url:s artifacts:[o] artifacts_file:o failure_reason:s~ tag_list:[s]
    project:o runner_manager:o? archived:b source:s
  GET P/jobs/:job_id > pipeline
    id:i iid:i project_id:i ref:s sha:s status:s source:s created_at:dt updated_at:dt web_url:s
  GET P/jobs/:job_id > artifacts
    file_type:s size:i filename:s file_format:s?
  GET P/jobs/:job_id > artifacts_file
    filename:s size:i
  GET P/jobs/:job_id > project
    ci_job_token_scope_enabled:b
  GET P/jobs/:job_id > runner
    id:i description:s? active:b paused:b is_shared:b runner_type:s name:s? online:b? status:s
  GET /runners/:id/jobs
    id:i name:s status:s pipeline:o project:o user:o? commit:o? web_url:s
  GET /runners/:id/jobs > project
    id:i description:s? name:s name_with_namespace:s path:s path_with_namespace:s created_at:dt
`)

/** Runners (API, I6). */
const runnerRecords = recordsOf(`
  GET /runners
    id:i description:s? name:s? active:b paused:b is_shared:b ip_address:s? online:b? status:s
    runner_type:s created_by:o? created_at:dt job_execution_status:s
  GET /runners/:id
    id:i architecture:s? platform:s? contacted_at:dt? projects:[o] groups:[o] revision:s? version:s?
    tag_list:[s] access_level:s maximum_timeout:i? maintenance_note:s? run_untagged:b locked:b
  GET /runners/:id > projects
    id:i name:s name_with_namespace:s path:s path_with_namespace:s
  GET /runners/:id > groups
    id:i web_url:s name:s
  GET /runners/:id/managers
    id:i system_id:s version:s? revision:s? platform:s? architecture:s? created_at:dt contacted_at:dt
    ip_address:s? status:s job_execution_status:s
  POST /user/runners
    id:i token:s token_expires_at:dt?
  POST /runners
    id:i token:s token_expires_at:dt?
`)

/** Variables, triggers, schedules (API, I1, I2). */
const ciRecords = recordsOf(`
  GET P/secure_files
    id:i name:s checksum:s checksum_algorithm:s created_at:dt expires_at:dt? metadata:null
    file_extension:s?
  GET P/variables/:key
    key:s value:s? variable_type:s protected:b masked:b environment_scope:s raw:b hidden:b
    description:s?
  GET /admin/ci/variables/:key
    key:s value:s? variable_type:s protected:b masked:b raw:b description:s?
  GET P/triggers/:trigger_id
    id:i token:s description:s created_at:dt updated_at:dt last_used:dt? owner:o? expires_at:dt?
  GET P/pipeline_schedules/:pipeline_schedule_id
    id:i description:s ref:s cron:s cron_timezone:s next_run_at:dt? active:b created_at:dt updated_at:dt
    owner:o? last_pipeline:o? variables:[o] inputs:[o]
  GET P/pipeline_schedules/:pipeline_schedule_id > last_pipeline
    id:i sha:s ref:s status:s
  GET P/pipeline_schedules/:pipeline_schedule_id > variables
    key:s variable_type:s value:s raw:b
  GET P/resource_groups/:key
    id:i key:s process_mode:s created_at:dt updated_at:dt
  POST P/ci/lint
    valid:b errors:[s] warnings:[s] merged_yaml:s? includes:[o] jobs:[o]
  POST P/ci/lint > includes
    type:s location:s blob:s? raw:s? extra:o context_project:s? context_sha:s?
  POST P/ci/lint > jobs
    name:s stage:s before_script:[s] script:[s] after_script:[s] tag_list:[s] environment:s? when:s
    allow_failure:b
`)

/** Environments, deployments (API, I8). */
const environmentRecords = recordsOf(`
  GET P/environments/:environment_id
    id:i name:s slug:s external_url:s? state:s last_deployment:o? created_at:dt updated_at:dt tier:s
    description:s? auto_stop_at:dt? auto_stop_setting:s
  GET P/environments
    id:i name:s slug:s external_url:s? state:s
  GET P/deployments/:deployment_id
    id:i iid:i ref:s sha:s created_at:dt updated_at:dt status:s user:o? environment:o deployable:o?
    pending_approval_count:i approvals:[o] approval_summary:o
  GET P/deployments/:deployment_id > environment
    id:i name:s external_url:s?
`)

/** Issues, merge requests, labels and milestones (API, F1, F3, F5, G3 and G4). */
const planningRecords = recordsOf(`
  GET P/labels/:label_id
    id:i name:s color:s text_color:s description:s? description_html:s subscribed:b priority:i? is_project_label:b
  GET G/labels
    id:i name:s color:s text_color:s description:s? description_html:s subscribed:b
  GET P/issues/:issue_iid/discussions/:discussion_id
    id:s individual_note:b notes:[o]

  GET P/issues/:issue_iid/notes/:note_id
    id:i type:s? body:s attachment:s? author:o? created_at:dt updated_at:dt system:b noteable_id:i? noteable_type:s
    noteable_iid:i? project_id:i? resolvable:b confidential:b internal:b commands_changes:o imported:b imported_from:s
  GET P/issues/:issue_iid/award_emoji/:award_id
    id:i name:s user:o created_at:dt updated_at:dt awardable_id:i awardable_type:s url:s?
  GET P/issues/:issue_iid/resource_label_events/:event_id
    id:i user:o? created_at:dt resource_type:s resource_id:i label:o? action:s
  GET P/issues/:issue_iid/resource_state_events/:event_id
    id:i user:o? created_at:dt resource_type:s resource_id:i state:s
  GET P/issues/:issue_iid/resource_milestone_events/:event_id
    id:i user:o? created_at:dt resource_type:s resource_id:i milestone:o? action:s
  GET P/issues/:issue_iid
    id:i iid:i project_id:i title:s description:s? state:s created_at:dt updated_at:dt closed_at:dt? closed_by:o?
    labels:[s] milestone:o? epic:o? epic_id:i? epic_iid:i? assignees:[o] author:o? assignee:o? type:s issue_type:s
    severity:s user_notes_count:i merge_requests_count:i upvotes:i downvotes:i due_date:d? confidential:b discussion_locked:b? weight:i?
    blocking_issues_count:i web_url:s time_stats:o has_tasks:b task_status:s task_completion_status:o references:o
    _links:o moved_to_id:i? imported:b imported_from:s service_desk_reply_to:s? subscribed:b
  GET P/wikis/:slug
    format:s slug:s title:s content:s encoding:s
  GET P/snippets/:snippet_id
    id:i title:s file_name:s description:s? visibility:s author:o project_id:i? created_at:dt updated_at:dt web_url:s
    raw_url:s http_url_to_repo:s ssh_url_to_repo:s files:[o] imported:b
  GET P/boards/:board_id
    id:i name:s hide_backlog_list:b hide_closed_list:b project:o? group:o? milestone:o? assignee:o? labels:[o]
    weight:i? lists:[o]
  GET P/boards/:board_id/lists/:list_id
    id:i label:o? assignee:o? milestone:o? position:i max_issue_count:i max_issue_weight:i limit_metric:s?
  GET G/epics/:epic_iid
    id:i iid:i group_id:i parent_id:i? parent_iid:i? title:s description:s? state:s confidential:b author:o? labels:[s]
    upvotes:i downvotes:i start_date:d? start_date_is_fixed:b start_date_fixed:d? start_date_from_inherited_source:d?
    due_date:d? due_date_is_fixed:b due_date_fixed:d? due_date_from_inherited_source:d? end_date:d? created_at:dt
    updated_at:dt closed_at:dt? web_url:s references:o _links:o
  GET P/merge_requests/:merge_request_iid
    id:i iid:i project_id:i title:s description:s? state:s created_at:dt updated_at:dt merged_by:o? merge_user:o?
    merged_at:dt? merge_after:dt? closed_by:o? closed_at:dt? prepared_at:dt? target_branch:s source_branch:s
    user_notes_count:i upvotes:i downvotes:i author:o? assignees:[o] assignee:o? reviewers:[o] source_project_id:i?
    target_project_id:i labels:[s] draft:b work_in_progress:b milestone:o? merge_when_pipeline_succeeds:b
    merge_status:s detailed_merge_status:s sha:s? merge_commit_sha:s? squash_commit_sha:s? discussion_locked:b?
    should_remove_source_branch:b? force_remove_source_branch:b allow_collaboration:b allow_maintainer_to_push:b
    reference:s references:o web_url:s time_stats:o squash:b squash_on_merge:b task_completion_status:o
    has_conflicts:b blocking_discussions_resolved:b approvals_before_merge:i? imported:b imported_from:s
    subscribed:b changes_count:s? diff_refs:o? head_pipeline:o? pipeline:o? merge_error:s? first_contribution:b user:o
  GET /todos
    id:i project:o author:o action_name:s target_type:s target:o target_url:s body:s state:s created_at:dt
    updated_at:dt
  GET P/milestones/:milestone_id
    id:i iid:i project_id:i title:s description:s? state:s created_at:dt updated_at:dt due_date:d? start_date:d?
    expired:b web_url:s
  GET G/milestones
    id:i iid:i group_id:i title:s description:s? state:s created_at:dt updated_at:dt due_date:d? start_date:d?
    expired:b web_url:s
`)

/** Hooks, audit events, the service (API, K1, L4, A11). */
const otherRecords = recordsOf(`
  GET P/hooks/:hook_id
    id:i url:s project_id:i push_events:b push_events_branch_filter:s? issues_events:b
    confidential_issues_events:b merge_requests_events:b tag_push_events:b note_events:b job_events:b
    pipeline_events:b wiki_page_events:b enable_ssl_verification:b created_at:dt name:s? description:s?
    confidential_note_events:b deployment_events:b releases_events:b feature_flag_events:b
    milestone_events:b emoji_events:b resource_access_token_events:b repository_update_events:b
    alert_status:s disabled_until:dt? url_variables:[o] custom_headers:[o] custom_webhook_template:s?
    branch_filter_strategy:s
  GET G/hooks/:hook_id
    id:i url:s group_id:i push_events:b push_events_branch_filter:s? issues_events:b
    confidential_issues_events:b merge_requests_events:b tag_push_events:b note_events:b job_events:b
    pipeline_events:b wiki_page_events:b enable_ssl_verification:b created_at:dt deployment_events:b
    releases_events:b subgroup_events:b member_events:b project_events:b alert_status:s
  GET P/hooks/:hook_id/events
    id:i url:s trigger:s request_headers:o request_data:o response_headers:o response_body:s?
    execution_duration:f response_status:s
  GET /hooks
    id:i url:s created_at:dt push_events:b tag_push_events:b merge_requests_events:b
    repository_update_events:b enable_ssl_verification:b
  GET /audit_events/:id
    id:i author_id:i entity_id:i entity_type:s details:o created_at:dt
  GET /metadata
    version:s revision:s kas:o enterprise:b
  GET /version
    version:s revision:s
`)

/** The records of the documents, with the types and nulls that clients count on (API, A10). */
export const recordRows: RecordRow[] = [
  ...userRecords,
  ...peopleRecords,
  ...projectRecords,
  ...repositoryRecords,
  ...releaseRecords,
  ...pipelineRecords,
  ...jobRecords,
  ...runnerRecords,
  ...ciRecords,
  ...environmentRecords,
  ...planningRecords,
  ...otherRecords,
]
