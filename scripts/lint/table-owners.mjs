// Which folder writes which table. The linter asks `writeRefusal` about every write under src/coordinator (table-writes.mjs).
import { posix } from 'node:path'

const COORDINATOR = 'src/coordinator'

/**
 * Tables by the folder that writes them, below src/coordinator. Files directly in the folder may; other folders call them.
 * @type {Record<string, string[]>}
 */
export const owners = {
  accounts: ['oauth_grant', 'oauth_token'],
  'accounts/applications': ['oauth_application'],
  'accounts/audit-events': ['audit_event', 'audit_intent'],
  'accounts/custom-attributes': ['custom_attribute'],
  'accounts/groups': ['group_removal', 'group_tree'],
  'accounts/groups/shares': ['share'],
  'accounts/members': ['access_request', 'invitation'],
  'accounts/notification-settings': ['notification_setting'],
  'accounts/oauth': ['oauth_device_request'],
  'accounts/terms': ['terms_acceptance'],
  'accounts/two-factor': [
    'passkey',
    'passkey_challenge',
    'recovery_code',
    'totp_factor',
    'two_factor_demand',
  ],
  'accounts/users': ['user', 'user_follow', 'user_identity'],
  'accounts/users/account': ['user_password'],
  'accounts/users/deletion': ['user_removal'],
  'accounts/users/emails': ['user_email'],
  'accounts/users/keys': ['gpg_key', 'ssh_key'],
  'accounts/users/links': ['account_link'],
  'accounts/users/own': ['user_status'],
  'accounts/users/tokens': ['bot_user'],
  'bulk-imports': ['bulk_import', 'bulk_import_entity', 'bulk_import_item'],
  hosting: [
    ...['milestone', 'note', 'protected_ref', 'push_rule', 'release', 'release_link', 'release_milestone'],
    ...['release_evidence', 'project_topic', 'topic'],
  ],
  'hosting/deploy-keys': ['deploy_key', 'deploy_key_project'],
  'hosting/deploy-tokens': ['deploy_token'],
  'hosting/lfs': ['lfs_lock', 'lfs_object'],
  'hosting/mirrors': ['remote_mirror'],
  'hosting/paths': ['old_path'],
  'hosting/project-badges': ['badge'],
  'hosting/projects': ['project_import', 'project_import_problem', 'removed_project'],
  'hosting/projects/export': ['project_export'],
  'hosting/projects/job-token-scope': ['job_token_group', 'job_token_project'],
  'hosting/projects/stars': ['project_star'],
  'hosting/projects/statistics': ['project_language', 'project_measure'],
  'hosting/projects/uploads': ['project_upload'],
  'hosting/protected-refs': ['protected_ref_access'],
  'hosting/pull-mirrors': ['pull_mirror'],
  'hosting/snippets': ['snippet'],
  'hosting/wikis': ['group_wiki', 'wiki', 'wiki_page'],
  'hosting/repositories': ['project_fetch', 'push'],
  'integrations/services': ['integration'],
  'integrations/services/builds': ['external_build'],
  'planning/chat-commands': ['chat_name', 'chat_name_code', 'chat_reply'],
  'integrations/mail': ['mail', 'mail_notice'],
  'integrations/activity-events': ['activity'],
  'integrations/resource-event-log': ['resource_event'],
  'integrations/webhooks': ['hook_delivery', 'hook_event', 'hook_log', 'web_hook'],
  'instance/broadcast-messages': ['broadcast_message'],
  'instance/overview': ['coordinator'],
  'planning/stores': [
    ...['award_emoji', 'board', 'board_label', 'board_list'],
    ...[
      'epic',
      'epic_issue',
      'epic_link',
      'issue',
      'issue_assignee',
      'issue_label',
      'issue_link',
      'issue_subscription',
    ],
    ...['approval_rule', 'approval_rule_branch', 'approval_rule_group', 'approval_rule_user'],
    ...['issue_text', 'issue_text_due', 'merge_request_text', 'merge_request_text_due'],
    ...['external_status_check', 'external_status_check_branch', 'external_status_check_response'],
    ...['label', 'label_priority', 'label_subscription'],
    ...['merge_request', 'merge_request_approval', 'merge_request_assignee', 'merge_request_issue'],
    ...[
      'merge_request_code_owners',
      'merge_request_label',
      'merge_request_refresh',
      'merge_request_reviewer',
    ],
    ...['merge_request_subscription', 'merge_request_task', 'merge_request_version'],
    ...['merge_train', 'merge_train_car', 'merge_train_test'],
    'todo',
  ],
  'scim/stores': ['scim_group', 'scim_group_member', 'scim_user'],
  'scim/tokens': ['scim_token'],
  'sessions/providers': ['provider_membership', 'used_sign_in_token'],
  'sessions/providers/saml': ['proven_sign_in'],
  'planning/draft-notes': ['draft_note'],
  'planning/merge-requests/context-commits': ['merge_request_context_commit'],
  'ci/holds': ['job_hold'],
  'ci/terminals': ['job_terminal'],
  'planning/merge-requests/viewed-files': ['viewed_file'],
  'planning/suggestions': ['suggestion'],
  ci: ['trigger_token'],
  'ci/engine': ['commit_status', 'job', 'job_need', 'job_variable', 'pipeline', 'pipeline_variable', 'stage'],
  'ci/engine/sites': ['site_deployment'],
  'ci/engine/advance/resource-groups': ['resource_group'],
  'ci/engine/deployments': [
    ...['deployment', 'deployment_counter', 'deployment_merge_request', 'deployment_merge_request_task'],
    'environment',
  ],
  'ci/engine/dispatch': ['project_dependency'],
  'ci/engine/environments': ['deployment_approval'],
  'ci/engine/hierarchy': ['bridge_task', 'downstream_pipeline', 'mirrored_pipeline'],
  'ci/jobs/runner-sessions': ['runner_session'],
  'ci/jobs/trace': ['trace_secret'],
  'ci/pipelines/retention': ['retention_removal'],
  'ci/protected-environments': ['protected_environment', 'protected_environment_entry'],
  'ci/queue': ['lease', 'queue_entry', 'tag_set'],
  'ci/queue/wait-statistics': ['queue_wait', 'runner_use', 'runner_wait'],
  'ci/runners': ['runner', 'runner_manager', 'runner_project'],
  'ci/feature-flags': [
    ...['feature_flag', 'feature_flag_client', 'feature_flag_strategy', 'feature_flag_user_list'],
  ],
  'ci/freeze-periods': ['freeze_period'],
  'ci/schedules': ['pipeline_schedule', 'pipeline_schedule_variable'],
  'ci/secure-files': ['secure_file'],
  'ci/storage': ['removed_job', 'stored_log'],
  'ci/storage/orphans': ['orphaned_blob'],
  'ci/storage/artifacts': ['artifact_lock', 'job_artifact', 'test_case', 'test_failure', 'test_report'],
  'ci/storage/caches': ['cache_archive'],
  'ci/variables': ['ci_variable'],
  'http/rate-limits': ['failed_attempt'],
  'database/stores': [
    'application_setting',
    'instance_setting',
    'member',
    'namespace',
    'pending_sign_in',
    'personal_access_token',
    'project',
    'sign_in_link',
    'user_profile',
    'web_session',
  ],
}

/**
 * Files that write tables of any folder, each with its reason.
 * @type {{ file: string, why: string }[]}
 */
export const exceptions = [
  { file: 'database/lock-row.ts', why: 'It locks a row by a write that changes nothing.' },
  { file: 'database/move/target.ts', why: 'It copies the rows of all tables into an empty database.' },
  {
    file: 'database/delete-in-steps.ts',
    why: 'It deletes in parts what the database would delete with a row of any table.',
  },
  { file: 'start/reseal-secrets.ts', why: 'It encrypts the sealed columns of all tables under a new key.' },
  {
    file: 'ci/engine/commit-status-store.ts',
    why: 'It takes an ID of the sequence that SQLite keeps for jobs.',
  },
]

/** Their files describe one step of the schema each. */
const MIGRATIONS = `${COORDINATOR}/database/migrations/`

/**
 * Why the file may not write the table; undefined when it may.
 * @param {string} file a source file's path from the root of the repository
 * @param {string | undefined} table undefined when the statement computes its name
 * @returns {string | undefined}
 */
export function writeRefusal(file, table) {
  if (!file.startsWith(`${COORDINATOR}/`) || file.startsWith(MIGRATIONS)) return undefined
  if (exceptions.some((exception) => `${COORDINATOR}/${exception.file}` === file)) return undefined
  if (table === undefined) return 'a write names its table literally'
  const owner = Object.keys(owners).find((folder) => owners[folder]?.includes(table))
  if (owner === undefined) return `the table ${table} has no owner`
  return posix.dirname(file) === `${COORDINATOR}/${owner}`
    ? undefined
    : `only ${COORDINATOR}/${owner} writes the table ${table}`
}
