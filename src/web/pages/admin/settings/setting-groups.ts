import type { SettingField } from '../../../records/settings-fields.js'

export interface SettingGroup {
  /** Names the group in the address of the page. */
  value: string
  title: string
  fields: readonly SettingField[]
}

const VISIBILITIES = [
  { value: 'private', label: 'Private' },
  { value: 'internal', label: 'Internal' },
  { value: 'public', label: 'Public' },
]

function check(name: string, label: string, help?: string): SettingField {
  return { name, label, kind: 'check', ...(help !== undefined && { help }) }
}

function text(name: string, label: string, help: string, placeholder?: string): SettingField {
  return {
    name,
    label,
    kind: 'text',
    isNullable: true,
    help,
    ...(placeholder !== undefined && { placeholder }),
  }
}

function number(name: string, label: string, help?: string): SettingField {
  return { name, label, kind: 'number', isNullable: true, ...(help !== undefined && { help }) }
}

function list(name: string, label: string, help: string): SettingField {
  return { name, label, kind: 'list', help }
}

function visibility(name: string, label: string): SettingField {
  return { name, label, kind: 'select', choices: VISIBILITIES }
}

/** What limits the requests of one kind of callers: a switch, and the number of requests in a period. */
function throttle(name: string, label: string, help: string): SettingField[] {
  return [
    check(`throttle_${name}_enabled`, label, help),
    number(`throttle_${name}_requests_per_period`, 'Requests in a period'),
    number(`throttle_${name}_period_in_seconds`, 'Length of the period, in seconds'),
  ]
}

const KEY_SIZE = 'In bits; 0 for any size, -1 for no keys of this type.'

/** The settings of the instance that take effect, by subject. */
export const SETTING_GROUPS: readonly SettingGroup[] = [
  {
    value: 'accounts',
    title: 'Accounts',
    fields: [
      check(
        'password_authentication_enabled_for_web',
        'Sign in to the pages with passwords',
        'Otherwise only with tokens and links.',
      ),
      check('password_authentication_enabled_for_git', 'Use passwords for git over HTTP'),
      list(
        'disabled_oauth_sign_in_sources',
        'Identity providers that are turned off',
        'Names, separated by commas. Nobody signs in with them.',
      ),
      check(
        'require_two_factor_authentication',
        'Require two-factor authentication',
        'Of all users; groups can require it of their members.',
      ),
      number(
        'two_factor_grace_period',
        'Time to set it up',
        'In hours after the user is first asked for it; 0 for none.',
      ),
      number(
        'session_expire_delay',
        'End sessions after',
        'In minutes, 10,080 in a week; for users who did not choose to stay signed in.',
      ),
      text('personal_access_token_prefix', 'Prefix of access tokens', 'Of new tokens.', 'glpat-'),
      check(
        'signup_enabled',
        'Visitors may sign up',
        'At /users/sign_up, with a password; with mails, they confirm their address.',
      ),
      check(
        'require_admin_approval_after_user_signup',
        'Administrators approve users who have signed up',
        'Always so if no mails are sent.',
      ),
      check('enforce_terms', 'All users must accept the terms'),
      { name: 'terms', label: 'Terms of service', kind: 'area', isNullable: true, help: 'In Markdown.' },
      {
        name: 'after_sign_up_text',
        label: 'Text after the sign-up',
        kind: 'area',
        isNullable: true,
        help: 'Visitors read it after they have signed up.',
      },
      {
        name: 'email_confirmation_setting',
        label: 'Confirmation of addresses',
        kind: 'select',
        choices: [
          { value: 'hard', label: 'Before users sign in with their password' },
          { value: 'soft', label: 'Within three days' },
          { value: 'off', label: 'Not needed' },
        ],
        help: 'If mails are sent. It counts for users who sign up, and for those who have to confirm their address.',
      },
      check('send_user_confirmation_email', 'New users confirm their e-mail address', 'If mails are sent.'),
      check('user_oauth_applications', 'Users may register applications', 'On the page of their account.'),
      check('can_create_group', 'New users may create groups'),
      check('user_default_external', 'New users are external', 'They see internal projects only as members.'),
      text(
        'user_default_internal_regex',
        'Addresses of users who are not external',
        'A regular expression, while new users are external.',
      ),
      number('default_projects_limit', 'Personal projects of a new user'),
      list(
        'domain_allowlist',
        'Allowed domains of e-mail addresses',
        'Of new users, separated by commas; * matches any text. All if it is empty.',
      ),
      check('domain_denylist_enabled', 'Deny domains of e-mail addresses'),
      list('domain_denylist', 'Denied domains', 'Separated by commas.'),
      number('rsa_key_restriction', 'Minimum size of RSA keys', KEY_SIZE),
      number('dsa_key_restriction', 'Minimum size of DSA keys', KEY_SIZE),
      number('ecdsa_key_restriction', 'Minimum size of ECDSA keys', KEY_SIZE),
      number('ed25519_key_restriction', 'Minimum size of Ed25519 keys', KEY_SIZE),
    ],
  },
  {
    value: 'projects',
    title: 'Projects and groups',
    fields: [
      visibility('default_project_visibility', 'Visibility of new projects'),
      visibility('default_group_visibility', 'Visibility of new groups'),
      visibility('default_snippet_visibility', 'Visibility of new snippets'),
      {
        name: 'restricted_visibility_levels',
        label: 'Only administrators may choose',
        kind: 'checks',
        choices: VISIBILITIES,
      },
      {
        name: 'default_project_creation',
        label: 'Who creates projects in new groups',
        kind: 'select',
        isNumber: true,
        choices: [
          { value: '0', label: 'Nobody' },
          { value: '1', label: 'Maintainers' },
          { value: '2', label: 'Developers and maintainers' },
        ],
      },
      {
        name: 'default_branch_protection',
        label: 'Protection of default branches',
        kind: 'select',
        isNumber: true,
        help: 'Of projects in new groups and of new personal projects.',
        choices: [
          { value: '0', label: 'None' },
          { value: '1', label: 'Developers push' },
          { value: '2', label: 'Maintainers push and merge' },
          { value: '3', label: 'Developers merge' },
          { value: '4', label: 'Maintainers push, after the first push' },
        ],
      },
      text(
        'default_branch_name',
        'Name of the first branch',
        'Of a project that is created with a README.',
        'main',
      ),
      number('deletion_adjourned_period', 'Keep deleted projects for', 'In days; 0 deletes them at once.'),
      {
        name: 'import_sources',
        label: 'Imports',
        kind: 'checks',
        choices: [
          { value: 'git', label: 'Repository by URL' },
          { value: 'gitlab_project', label: 'Archive of a project' },
        ],
      },
      number(
        'file_template_project_id',
        'Project with templates of files',
        'ID of a project that everybody can read; empty for none.',
      ),
      check('project_export_enabled', 'Projects may be exported'),
      check('mirror_available', 'Maintainers set up mirrors', 'Otherwise only administrators.'),
      number('max_import_size', 'Largest archive of an import', 'In MB; 0 for no limit.'),
      number('max_pages_size', 'Largest published site of a project', 'In MB; 0 for no limit.'),
      number('max_export_size', 'Largest archive of an export', 'In MB; 0 for no limit.'),
      number('max_attachment_size', 'Largest uploaded file', 'In MB, at most 100.'),
    ],
  },
  {
    value: 'git',
    title: 'Git',
    fields: [
      {
        name: 'enabled_git_access_protocol',
        label: 'Protocols of git',
        kind: 'select',
        isNullable: true,
        help: 'Jobs always use HTTP.',
        choices: [
          { value: '', label: 'SSH and HTTP' },
          { value: 'ssh', label: 'SSH only' },
          { value: 'http', label: 'HTTP only' },
        ],
      },
      number('receive_max_input_size', 'Largest push', 'In MB; 0 or empty for no limit.'),
      number(
        'push_event_hooks_limit',
        'Webhooks of a push',
        'With more branches, or more tags, a push sends none.',
      ),
      number(
        'push_event_activities_limit',
        'Activities of a push',
        'With more branches, or more tags, a push has one activity.',
      ),
    ],
  },
  {
    value: 'ci',
    title: 'CI/CD',
    fields: [
      check('shared_runners_enabled', 'Instance runners take jobs of new projects'),
      check('allow_runner_registration_token', 'Registration tokens register runners'),
      {
        name: 'valid_runner_registrars',
        label: 'Registration tokens of',
        kind: 'checks',
        choices: [
          { value: 'group', label: 'Groups' },
          { value: 'project', label: 'Projects' },
        ],
      },
      number(
        'runner_token_expiration_interval',
        'Tokens of runners are valid for',
        'In seconds; empty for ever.',
      ),
      text(
        'default_ci_config_path',
        'CI file of new projects',
        'Its path in the repository.',
        '.gitlab-ci.yml',
      ),
      number('ci_max_includes', 'Files that a CI file may include'),
      check('protected_ci_variables', 'New CI variables are protected', 'Unless a request says otherwise.'),
      number('max_artifacts_size', 'Largest artifacts of a job', 'In MB.'),
      text(
        'default_artifacts_expire_in',
        'Keep artifacts for',
        'Those without expire_in; 0 for ever.',
        '30 days',
      ),
      check('keep_latest_artifact', 'Keep the newest artifacts of each branch', 'Of new pipelines.'),
      check('job_shells_enabled', 'People open shells in held and running jobs', 'Where runners allow it.'),
      number('terminal_max_session_time', 'Longest shell in a job', 'In seconds; 0 for no limit.'),
      text(
        'archive_builds_in_human_readable',
        'Archive jobs after',
        'Older jobs are not retried or started; at least a day. Never if it is empty.',
        '1 month',
      ),
    ],
  },
  {
    value: 'network',
    title: 'Network and mails',
    fields: [
      check(
        'allow_local_requests_from_web_hooks_and_services',
        'Requests of users may reach the local network',
        'Webhooks, integrations, imports, mirrors, includes and session servers of runners.',
      ),
      check('allow_local_requests_from_system_hooks', 'System hooks may reach the local network'),
      list(
        'outbound_local_requests_allowlist',
        'Local hosts that requests may always reach',
        'Names and networks, separated by commas.',
      ),
      check('html_emails_enabled', 'Mails have HTML beside text'),
      { name: 'email_additional_text', label: 'Text at the end of mails', kind: 'area', isNullable: true },
    ],
  },
  {
    value: 'limits',
    title: 'Rate limits',
    fields: [
      ...throttle(
        'authenticated_api',
        'Limit API requests of a user',
        'In place of rate_limits.authenticated_per_minute in the configuration.',
      ),
      ...throttle(
        'unauthenticated_api',
        'Limit API requests of an address',
        'In place of rate_limits.unauthenticated_per_minute in the configuration.',
      ),
      ...throttle('authenticated_web', 'Limit requests of a user for pages', 'Of users who are signed in.'),
      ...throttle('unauthenticated_web', 'Limit requests of an address for pages', 'Without a session.'),
      ...throttle(
        'unauthenticated',
        'Limit all requests of an address',
        'While the limits of addresses above are off.',
      ),
      check('unique_ips_limit_enabled', 'Limit the addresses of a user'),
      number('unique_ips_limit_per_user', 'Addresses of a user'),
      number('unique_ips_limit_time_window', 'Within this time, in seconds'),
      number('search_rate_limit', 'Searches of a user in a minute', '0 for any number.'),
      number('notes_create_limit', 'Comments of a user in a minute', '0 for any number.'),
      number('users_get_by_id_limit', 'Users that a user reads in ten minutes', '0 for any number.'),
    ],
  },
]
