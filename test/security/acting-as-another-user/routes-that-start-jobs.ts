/**
 * How an operation that changes something can bring jobs to run.
 * - `asks`: it starts jobs for the caller or for the owner of a token; a row of `who-starts-jobs.test.ts`.
 * - `pushes`: it moves refs, as git does: the rules of the push decide first (`push-rules.ts`).
 * - `closes`: it may close a merge request, whose environments are then stopped as the caller; the row of
 *   `who-starts-jobs.test.ts` for the end of a merge request.
 * - `continues`: the jobs of a pipeline that exists go on, each for the user whose job it already is.
 */
export const STARTS_JOBS: Record<string, 'asks' | 'pushes' | 'closes' | 'continues'> = {
  'POST /projects/:id/pipeline': 'asks',
  'POST /projects/:id/trigger/pipeline': 'asks',
  'POST /projects/:id/ref/:ref/trigger/pipeline': 'asks',
  'POST /projects/:id/integrations/:slug/trigger': 'asks',
  'POST /projects/:id/services/:slug/trigger': 'asks',
  'POST /projects/:id/pipelines/:pipeline_id/retry': 'asks',
  'POST /projects/:id/pipelines/:pipeline_id/play': 'asks',
  'POST /projects/:id/pipelines/:pipeline_id/stages/:name/play': 'asks',
  'POST /projects/:id/pipelines/:pipeline_id/stages/:name/retry': 'asks',
  'POST /projects/:id/merge_requests/:merge_request_iid/pipelines': 'asks',
  'POST /projects/:id/jobs/:job_id/play': 'asks',
  'POST /projects/:id/jobs/:job_id/retry': 'asks',
  'POST /projects/:id/pipeline_schedules/:pipeline_schedule_id/play': 'asks',
  'POST /projects/:id/environments/:environment_id/stop': 'asks',
  'POST /projects/:id/environments/stop_stale': 'asks',
  'DELETE /projects/:id/repository/branches/:branch': 'pushes',
  'DELETE /projects/:id/repository/merged_branches': 'pushes',
  'DELETE /projects/:id/repository/files/:file_path': 'pushes',
  'POST /projects/:id/repository/branches': 'pushes',
  'POST /projects/:id/repository/changelog': 'pushes',
  'POST /projects/:id/repository/commits': 'pushes',
  'POST /projects/:id/repository/commits/:sha/cherry_pick': 'pushes',
  'POST /projects/:id/repository/commits/:sha/revert': 'pushes',
  'POST /projects/:id/repository/files/:file_path': 'pushes',
  'PUT /projects/:id/repository/files/:file_path': 'pushes',
  'PUT /projects/:id/repository/submodules/:submodule': 'pushes',
  'POST /projects/:id/repository/tags': 'pushes',
  'PUT /suggestions/:id/apply': 'pushes',
  'PUT /suggestions/batch_apply': 'pushes',
  'POST /projects/:id/releases': 'pushes',
  'PUT /projects/:id/merge_requests/:merge_request_iid/merge': 'pushes',
  'PUT /projects/:id/merge_requests/:merge_request_iid/rebase': 'pushes',
  'POST /projects/:id/merge_requests/:merge_request_iid/conflicts': 'pushes',
  // Its pipelines are those of the route `the result of a merge train`.
  'POST /projects/:id/merge_trains/merge_requests/:merge_request_iid': 'pushes',
  'POST /projects/:id/repository/tags/:tag_name/release': 'pushes',
  'PUT /projects/:id/merge_requests/:merge_request_iid': 'closes',
  'POST /projects/:id/merge_requests/:merge_request_iid/notes': 'closes',
  'PUT /projects/:id/merge_requests/:merge_request_iid/draft_notes/:draft_note_id/publish': 'closes',
  'POST /projects/:id/merge_requests/:merge_request_iid/draft_notes/bulk_publish': 'closes',
  'DELETE /projects/:id': 'closes',
  'DELETE /projects/:id/fork': 'closes',
  'POST /jobs/request': 'continues',
  'PUT /jobs/:id': 'continues',
  'DELETE /projects/:id/pipelines/:pipeline_id': 'continues',
  'POST /projects/:id/deployments/:deployment_id/approval': 'continues',
  'POST /projects/:id/jobs/:job_id/cancel': 'continues',
  'POST /projects/:id/pipelines/:pipeline_id/stages/:name/cancel': 'continues',
  'POST /projects/:id/jobs/:job_id/unschedule': 'continues',
  'POST /projects/:id/pipelines/:pipeline_id/cancel': 'continues',
  'POST /projects/:id/statuses/:sha': 'continues',
  'PUT /projects/:id/resource_groups/:key': 'continues',
}

/** Operations below these have to do with no pipeline. */
export const WITHOUT_PIPELINES = [
  '/snippets',
  '/application',
  '/broadcast_messages',
  // No pipeline is created for what an import brings.
  '/bulk_imports',
  '/scim_tokens',
  '/notification_settings',
  '/users',
  '/user',
  '/groups',
  '/admin',
  '/hooks',
  '/todos',
  '/topics',
  '/applications',
  '/personal_access_tokens',
  '/runners',
]

/** The other operations that change something, and start no job. A new operation is added here or above. */
export const STARTS_NO_JOBS = `
  DELETE /jobs/:id/hold
  DELETE /projects/:id/access_requests/:user_id
  DELETE /projects/:id/access_tokens/:token_id
  DELETE /projects/:id/artifacts
  DELETE /projects/:id/caches
  DELETE /projects/:id/caches/:cache_id
  DELETE /projects/:id/badges/:badge_id
  DELETE /projects/:id/boards/:board_id
  DELETE /projects/:id/boards/:board_id/lists/:list_id
  DELETE /projects/:id/custom_attributes/:key
  DELETE /projects/:id/deploy_keys/:key_id
  DELETE /projects/:id/deploy_tokens/:token_id
  DELETE /projects/:id/deployments/:deployment_id
  DELETE /projects/:id/pages
  DELETE /projects/:id/environments/:environment_id
  DELETE /projects/:id/environments/review_apps
  DELETE /projects/:id/hooks/:hook_id
  DELETE /projects/:id/hooks/:hook_id/custom_headers/:key
  DELETE /projects/:id/hooks/:hook_id/url_variables/:key
  DELETE /projects/:id/integrations/:slug
  DELETE /projects/:id/invitations/:email
  DELETE /projects/:id/issues/:issue_iid
  DELETE /projects/:id/issues/:issue_iid/award_emoji/:award_id
  DELETE /projects/:id/issues/:issue_iid/discussions/:discussion_id/notes/:note_id
  DELETE /projects/:id/issues/:issue_iid/links/:issue_link_id
  DELETE /projects/:id/issues/:issue_iid/notes/:note_id
  DELETE /projects/:id/issues/:issue_iid/notes/:note_id/award_emoji/:award_id
  DELETE /projects/:id/job_token_scope/allowlist/:target_project_id
  DELETE /projects/:id/job_token_scope/groups_allowlist/:target_group_id
  DELETE /projects/:id/jobs/:job_id/artifacts
  DELETE /projects/:id/jobs/:job_id/hold
  DELETE /projects/:id/labels
  DELETE /projects/:id/feature_flags/:feature_flag_name
  DELETE /projects/:id/feature_flags_user_lists/:iid
  DELETE /projects/:id/approval_rules/:approval_rule_id
  DELETE /projects/:id/freeze_periods/:freeze_period_id
  DELETE /projects/:id/labels/:label_id
  DELETE /projects/:id/members/:user_id
  DELETE /projects/:id/merge_requests/:merge_request_iid
  DELETE /projects/:id/merge_requests/:merge_request_iid/approval_rules/:approval_rule_id
  DELETE /projects/:id/merge_requests/:merge_request_iid/award_emoji/:award_id
  DELETE /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id/notes/:note_id
  DELETE /projects/:id/merge_requests/:merge_request_iid/draft_notes/:draft_note_id
  DELETE /projects/:id/external_status_checks/:check_id
  DELETE /projects/:id/merge_requests/:merge_request_iid/context_commits
  DELETE /projects/:id/merge_requests/:merge_request_iid/notes/:note_id
  DELETE /projects/:id/merge_requests/:merge_request_iid/notes/:note_id/award_emoji/:award_id
  DELETE /projects/:id/milestones/:milestone_id
  DELETE /projects/:id/pipeline_schedules/:pipeline_schedule_id
  DELETE /projects/:id/pipeline_schedules/:pipeline_schedule_id/variables/:key
  DELETE /projects/:id/protected_branches/:name
  DELETE /projects/:id/protected_environments/:name
  DELETE /projects/:id/protected_tags/:name
  DELETE /projects/:id/push_rule
  DELETE /projects/:id/releases/:tag_name
  DELETE /projects/:id/releases/:tag_name/assets/links/:link_id
  DELETE /projects/:id/remote_mirrors/:mirror_id
  DELETE /projects/:id/repository/commits/:sha/discussions/:discussion_id/notes/:note_id
  DELETE /projects/:id/repository/tags/:tag_name
  DELETE /projects/:id/runners/:runner_id
  DELETE /projects/:id/secure_files/:secure_file_id
  DELETE /projects/:id/services/:slug
  DELETE /projects/:id/share/:group_id
  DELETE /projects/:id/snippets/:snippet_id
  DELETE /projects/:id/snippets/:snippet_id/award_emoji/:award_id
  DELETE /projects/:id/snippets/:snippet_id/discussions/:discussion_id/notes/:note_id
  DELETE /projects/:id/snippets/:snippet_id/notes/:note_id
  DELETE /projects/:id/snippets/:snippet_id/notes/:note_id/award_emoji/:award_id
  DELETE /projects/:id/triggers/:trigger_id
  DELETE /projects/:id/uploads/:upload_id
  DELETE /projects/:id/variables/:key
  DELETE /projects/:id/wikis/:slug
  PATCH /jobs/:id/artifacts/uploads/:type
  PATCH /jobs/:id/trace
  PATCH /projects/:id/job_token_scope
  PATCH /projects/:id/protected_branches/:name
  POST /jobs/:id/artifacts
  POST /jobs/:id/artifacts/authorize
  POST /jobs/:id/artifacts/uploads/:type
  POST /jobs/:id/hold
  POST /projects
  POST /projects/:id/access_requests
  POST /projects/:id/access_tokens
  POST /projects/:id/access_tokens/:token_id/rotate
  POST /projects/:id/approval_rules
  POST /projects/:id/approvals
  POST /projects/:id/archive
  POST /projects/:id/badges
  POST /projects/:id/boards
  POST /projects/:id/boards/:board_id/lists
  POST /projects/:id/deploy_keys
  POST /projects/:id/deploy_keys/:key_id/enable
  POST /projects/:id/deploy_tokens
  POST /projects/:id/deployments
  POST /projects/:id/environments
  POST /projects/:id/export
  POST /projects/:id/fork
  POST /projects/:id/fork/:forked_from_id
  POST /projects/:id/feature_flags
  POST /projects/:id/feature_flags_user_lists
  POST /projects/:id/freeze_periods
  POST /projects/:id/hooks
  POST /projects/:id/hooks/:hook_id/events/:hook_event_id/resend
  POST /projects/:id/hooks/:hook_id/test/:trigger
  POST /projects/:id/housekeeping
  POST /projects/:id/import_project_members/:project_id
  POST /projects/:id/remote_mirrors/:mirror_id/sync
  POST /projects/:id/integrations/:slug/test
  POST /projects/:id/invitations
  POST /projects/:id/issues
  POST /projects/:id/issues/:issue_iid/add_spent_time
  POST /projects/:id/issues/:issue_iid/award_emoji
  POST /projects/:id/issues/:issue_iid/clone
  POST /projects/:id/issues/:issue_iid/discussions
  POST /projects/:id/issues/:issue_iid/discussions/:discussion_id/notes
  POST /projects/:id/issues/:issue_iid/links
  POST /projects/:id/issues/:issue_iid/move
  POST /projects/:id/issues/:issue_iid/notes
  POST /projects/:id/issues/:issue_iid/notes/:note_id/award_emoji
  POST /projects/:id/issues/:issue_iid/reset_spent_time
  POST /projects/:id/issues/:issue_iid/reset_time_estimate
  POST /projects/:id/issues/:issue_iid/subscribe
  POST /projects/:id/issues/:issue_iid/time_estimate
  POST /projects/:id/issues/:issue_iid/todo
  POST /projects/:id/issues/:issue_iid/unsubscribe
  POST /projects/:id/job_token_scope/allowlist
  POST /projects/:id/job_token_scope/groups_allowlist
  POST /projects/:id/jobs/:job_id/artifacts/keep
  POST /projects/:id/jobs/:job_id/erase
  POST /projects/:id/jobs/:job_id/hold/extend
  POST /projects/:id/jobs/:job_id/terminal
  POST /projects/:id/labels
  POST /projects/:id/labels/:label_id/subscribe
  POST /projects/:id/labels/:label_id/unsubscribe
  POST /projects/:id/members
  POST /projects/:id/merge_requests
  POST /projects/:id/merge_requests/:merge_request_iid/add_spent_time
  POST /projects/:id/merge_requests/:merge_request_iid/approve
  POST /projects/:id/merge_requests/:merge_request_iid/approval_rules
  POST /projects/:id/merge_requests/:merge_request_iid/award_emoji
  POST /projects/:id/merge_requests/:merge_request_iid/cancel_merge_when_pipeline_succeeds
  POST /projects/:id/merge_requests/:merge_request_iid/discussions
  POST /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id/notes
  POST /projects/:id/merge_requests/:merge_request_iid/draft_notes
  POST /projects/:id/external_status_checks
  POST /projects/:id/merge_requests/:merge_request_iid/context_commits
  POST /projects/:id/merge_requests/:merge_request_iid/status_check_responses
  POST /projects/:id/merge_requests/:merge_request_iid/status_checks/:external_status_check_id/retry
  POST /projects/:id/merge_requests/:merge_request_iid/notes/:note_id/award_emoji
  POST /projects/:id/merge_requests/:merge_request_iid/reset_spent_time
  POST /projects/:id/merge_requests/:merge_request_iid/reset_time_estimate
  POST /projects/:id/merge_requests/:merge_request_iid/subscribe
  POST /projects/:id/merge_requests/:merge_request_iid/time_estimate
  POST /projects/:id/merge_requests/:merge_request_iid/todo
  POST /projects/:id/merge_requests/:merge_request_iid/unapprove
  POST /projects/:id/merge_requests/:merge_request_iid/unsubscribe
  POST /projects/:id/milestones
  POST /projects/:id/milestones/:milestone_id/promote
  POST /projects/:id/mirror/pull
  POST /projects/:id/pipeline_schedules
  POST /projects/:id/pipeline_schedules/:pipeline_schedule_id/take_ownership
  POST /projects/:id/pipeline_schedules/:pipeline_schedule_id/variables
  POST /projects/:id/protected_branches
  POST /projects/:id/protected_environments
  POST /projects/:id/protected_tags
  POST /projects/:id/push_rule
  POST /projects/:id/releases/:tag_name/assets/links
  POST /projects/:id/releases/:tag_name/evidence
  POST /projects/:id/remote_mirrors
  POST /projects/:id/repository/commits/:sha/comments
  POST /projects/:id/repository/commits/:sha/discussions
  POST /projects/:id/repository/commits/:sha/discussions/:discussion_id/notes
  POST /projects/:id/restore
  POST /projects/:id/runners
  POST /projects/:id/runners/reset_registration_token
  POST /projects/:id/secure_files
  POST /projects/:id/services/:slug/test
  POST /projects/:id/share
  POST /projects/:id/snippets
  POST /projects/:id/snippets/:snippet_id/award_emoji
  POST /projects/:id/snippets/:snippet_id/discussions
  POST /projects/:id/snippets/:snippet_id/discussions/:discussion_id/notes
  POST /projects/:id/snippets/:snippet_id/notes
  POST /projects/:id/snippets/:snippet_id/notes/:note_id/award_emoji
  POST /projects/:id/star
  POST /projects/:id/triggers
  POST /projects/:id/triggers/:trigger_id/take_ownership
  POST /projects/:id/unarchive
  POST /projects/:id/unstar
  POST /projects/:id/uploads
  POST /projects/:id/variables
  POST /projects/:id/wikis
  POST /projects/:id/wikis/attachments
  POST /projects/import
  POST /projects/user/:user_id
  PUT /jobs/:id/cache
  PUT /jobs/:id/hold
  PUT /projects/:id
  PUT /projects/:id/access_requests/:user_id/approve
  PUT /projects/:id/badges/:badge_id
  PUT /projects/:id/boards/:board_id
  PUT /projects/:id/boards/:board_id/lists/:list_id
  PUT /projects/:id/custom_attributes/:key
  PUT /projects/:id/deploy_keys/:key_id
  PUT /projects/:id/deployments/:deployment_id
  PUT /projects/:id/environments/:environment_id
  PUT /projects/:id/feature_flags/:feature_flag_name
  PUT /projects/:id/feature_flags_user_lists/:iid
  PUT /projects/:id/approval_rules/:approval_rule_id
  PUT /projects/:id/freeze_periods/:freeze_period_id
  PUT /projects/:id/hooks/:hook_id
  PUT /projects/:id/hooks/:hook_id/custom_headers/:key
  PUT /projects/:id/hooks/:hook_id/url_variables/:key
  PUT /projects/:id/integrations/:slug
  PUT /projects/:id/invitations/:email
  PUT /projects/:id/issues/:issue_iid
  PUT /projects/:id/issues/:issue_iid/discussions/:discussion_id/notes/:note_id
  PUT /projects/:id/issues/:issue_iid/notes/:note_id
  PUT /projects/:id/issues/:issue_iid/reorder
  PUT /projects/:id/labels
  PUT /projects/:id/labels/:label_id
  PUT /projects/:id/labels/:label_id/promote
  PUT /projects/:id/labels/promote
  PUT /projects/:id/members/:user_id
  PUT /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id
  PUT /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id/notes/:note_id
  PUT /projects/:id/merge_requests/:merge_request_iid/draft_notes/:draft_note_id
  PUT /projects/:id/external_status_checks/:check_id
  PUT /projects/:id/merge_requests/:merge_request_iid/notes/:note_id
  PUT /projects/:id/merge_requests/:merge_request_iid/approval_rules/:approval_rule_id
  PUT /projects/:id/merge_requests/:merge_request_iid/reset_approvals
  PUT /projects/:id/merge_requests/:merge_request_iid/viewed_files
  PUT /projects/:id/milestones/:milestone_id
  PUT /projects/:id/mirror/pull
  PUT /projects/:id/notification_settings
  PUT /projects/:id/pipeline_schedules/:pipeline_schedule_id
  PUT /projects/:id/pipeline_schedules/:pipeline_schedule_id/variables/:key
  PUT /projects/:id/pipelines/:pipeline_id/metadata
  PUT /projects/:id/protected_environments/:name
  PUT /projects/:id/push_rule
  PUT /projects/:id/releases/:tag_name
  PUT /projects/:id/releases/:tag_name/assets/links/:link_id
  PUT /projects/:id/remote_mirrors/:mirror_id
  PUT /projects/:id/repository/branches/:branch/protect
  PUT /projects/:id/repository/branches/:branch/unprotect
  PUT /projects/:id/repository/commits/:sha/discussions/:discussion_id/notes/:note_id
  PUT /projects/:id/repository/tags/:tag_name/release
  PUT /projects/:id/services/:slug
  PUT /projects/:id/snippets/:snippet_id
  PUT /projects/:id/snippets/:snippet_id/discussions/:discussion_id/notes/:note_id
  PUT /projects/:id/snippets/:snippet_id/notes/:note_id
  PUT /projects/:id/transfer
  PUT /projects/:id/triggers/:trigger_id
  PUT /projects/:id/variables/:key
  PUT /projects/:id/wikis/:slug
`
