import type { SettingField } from '../../../records/settings-fields.js'
import { VISIBILITY_CHOICES } from '../../../records/visibility-choices.js'

const LEVELS = [
  { value: 'enabled', label: 'All who can see the project' },
  { value: 'private', label: 'Members only' },
  { value: 'disabled', label: 'Nobody: switched off' },
]

const FEATURES = [
  { name: 'repository', label: 'Repository', help: 'Files, commits, branches and tags.' },
  { name: 'builds', label: 'CI/CD', help: 'Pipelines, jobs, logs and artifacts.' },
  { name: 'merge_requests', label: 'Merge requests' },
  { name: 'issues', label: 'Issues' },
  { name: 'releases', label: 'Releases' },
  { name: 'environments', label: 'Environments' },
  { name: 'wiki', label: 'Wiki' },
  { name: 'snippets', label: 'Snippets' },
  { name: 'forking', label: 'Forks', help: 'Who may copy the project into another namespace.' },
] as const

export const NAME_FIELDS: readonly SettingField[] = [
  { name: 'name', label: 'Name', kind: 'text', isRequired: true },
  { name: 'description', label: 'Description', kind: 'area', isNullable: true },
  {
    name: 'topics',
    label: 'Topics',
    kind: 'list',
    help: 'Separated by commas.',
    placeholder: 'parser, library',
  },
  {
    name: 'default_branch',
    label: 'Default branch',
    kind: 'text',
    isRequired: true,
    help: 'Shown first, and the usual target of merge requests. It must exist.',
  },
]

export const ACCESS_FIELDS: readonly SettingField[] = [
  {
    name: 'visibility',
    label: 'Visibility',
    kind: 'select',
    choices: VISIBILITY_CHOICES,
  },
  ...FEATURES.map(({ name, label, ...rest }): SettingField => ({
    name: `${name}_access_level`,
    label,
    kind: 'select',
    choices: LEVELS,
    ...('help' in rest && { help: rest.help }),
  })),
  {
    name: 'pages_access_level',
    label: 'Published site',
    kind: 'select',
    choices: [{ value: 'public', label: 'Everybody, also if the project is not public' }, ...LEVELS],
  },
  {
    name: 'request_access_enabled',
    label: 'Users may request access',
    kind: 'check',
  },
  {
    name: 'lfs_enabled',
    label: 'Git LFS',
    kind: 'check',
    help: 'Large files are stored beside the repository.',
  },
  { name: 'emails_disabled', label: 'Send no mails about this project', kind: 'check' },
]

export const MERGE_FIELDS: readonly SettingField[] = [
  {
    name: 'merge_method',
    label: 'Merge method',
    kind: 'select',
    choices: [
      { value: 'merge', label: 'Merge commit' },
      { value: 'rebase_merge', label: 'Merge commit, after a rebase only' },
      { value: 'ff', label: 'Fast-forward only' },
    ],
  },
  {
    name: 'squash_option',
    label: 'Squash',
    kind: 'select',
    choices: [
      { value: 'never', label: 'Never' },
      { value: 'default_off', label: 'Off, unless chosen' },
      { value: 'default_on', label: 'On, unless switched off' },
      { value: 'always', label: 'Always' },
    ],
  },
  {
    name: 'only_allow_merge_if_pipeline_succeeds',
    label: 'The pipeline must succeed',
    kind: 'check',
  },
  {
    name: 'allow_merge_on_skipped_pipeline',
    label: 'A skipped pipeline counts as successful',
    kind: 'check',
  },
  {
    name: 'only_allow_merge_if_all_discussions_are_resolved',
    label: 'All threads must be resolved',
    kind: 'check',
  },
  {
    name: 'only_allow_merge_if_all_status_checks_passed',
    label: 'All status checks must pass',
    kind: 'check',
    help: 'Those that have said nothing yet count as pending.',
  },
  {
    name: 'merge_trains_enabled',
    label: 'Merge with merge trains',
    kind: 'check',
    help: 'Each merge request is tested on top of those before it.',
  },
  {
    name: 'resolve_outdated_diff_discussions',
    label: 'A push resolves threads on lines that it changes',
    kind: 'check',
  },
  {
    name: 'remove_source_branch_after_merge',
    label: 'Delete the source branch after the merge',
    kind: 'check',
    help: 'The default of new merge requests.',
  },
  {
    name: 'printing_merge_request_link_enabled',
    label: 'Show a link for a new merge request after a push',
    kind: 'check',
  },
  {
    name: 'autoclose_referenced_issues',
    label: 'Commits on the default branch close the issues that they reference',
    kind: 'check',
  },
  {
    name: 'merge_commit_template',
    label: 'Template of merge commit messages',
    kind: 'area',
    isNullable: true,
  },
  {
    name: 'squash_commit_template',
    label: 'Template of squash commit messages',
    kind: 'area',
    isNullable: true,
  },
]

export const APPROVAL_FIELDS: readonly SettingField[] = [
  { name: 'approvals_before_merge', label: 'Required approvals', kind: 'number', min: 0, max: 1000 },
  {
    name: 'reset_approvals_on_push',
    label: 'A push to the source branch removes the approvals',
    kind: 'check',
  },
  {
    name: 'merge_requests_author_approval',
    label: 'Authors may approve their own merge requests',
    kind: 'check',
  },
  {
    name: 'disable_overriding_approvers_per_merge_request',
    label: 'Merge requests may not have approval rules of their own',
    kind: 'check',
    help: 'Only the rules of the project count.',
  },
]
