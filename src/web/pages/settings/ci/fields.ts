import type { SettingField } from '../../../records/settings-fields.js'

/** How the pipelines of a project run. */
export const PIPELINE_FIELDS: readonly SettingField[] = [
  {
    name: 'ci_config_path',
    label: 'CI file',
    kind: 'text',
    isNullable: true,
    placeholder: '.gitlab-ci.yml',
    help: 'Path in the repository.',
  },
  {
    name: 'build_timeout',
    label: 'Timeout of jobs, in seconds',
    kind: 'number',
    min: 600,
    max: 2_678_400,
    help: 'From ten minutes to a month; a job and a runner may set less.',
  },
  {
    name: 'build_git_strategy',
    label: 'Git strategy',
    kind: 'select',
    choices: [
      { value: 'fetch', label: 'Fetch into the files of the last job' },
      { value: 'clone', label: 'Clone for each job' },
    ],
  },
  {
    name: 'ci_default_git_depth',
    label: 'Commits that jobs fetch',
    kind: 'number',
    min: 0,
    max: 1000,
    help: '0 for all.',
  },
  {
    name: 'build_coverage_regex',
    label: 'Expression for the code coverage',
    kind: 'text',
    isNullable: true,
    placeholder: 'TOTAL.+ (\\d+\\.\\d+)%',
    help: 'Finds the percentage in logs of jobs without the keyword coverage.',
  },
  {
    name: 'max_artifacts_size',
    label: 'Largest artifacts archive, in MB',
    kind: 'number',
    isNullable: true,
    min: 1,
    help: 'Empty for the limit of the instance.',
  },
  {
    name: 'ci_delete_pipelines_in_seconds',
    label: 'Delete pipelines after, in seconds',
    kind: 'number',
    isNullable: true,
    min: 86_400,
    max: 31_536_000,
    help: 'From a day to a year. Empty for the limit of the instance.',
  },
  {
    name: 'auto_cancel_pending_pipelines',
    label: 'Older pipelines of the same ref',
    kind: 'select',
    choices: [
      { value: 'enabled', label: 'A newer one cancels what may be interrupted' },
      { value: 'disabled', label: 'Run to their end' },
    ],
  },
  {
    name: 'ci_pipeline_variables_minimum_override_role',
    label: 'Least role that sets variables of pipelines',
    kind: 'select',
    choices: [
      { value: 'no_one_allowed', label: 'Nobody' },
      { value: 'developer', label: 'Developer' },
      { value: 'maintainer', label: 'Maintainer' },
      { value: 'owner', label: 'Owner' },
    ],
    help: 'Applies while such variables are limited to a role.',
  },
  {
    name: 'restrict_user_defined_variables',
    label: 'Limit variables of pipelines to that role',
    kind: 'check',
  },
  {
    name: 'hold_failed_jobs_minimum_role',
    label: 'Hold failed jobs of users with at least the role',
    kind: 'select',
    choices: [
      { value: 'no_one_allowed', label: 'Of nobody' },
      { value: 'developer', label: 'Developer' },
      { value: 'maintainer', label: 'Maintainer' },
      { value: 'owner', label: 'Owner' },
    ],
    help: 'Their runners keep the containers for a while, if they have room. SWITCHYARD_HOLD of a job overrules it.',
  },
  { name: 'shared_runners_enabled', label: 'Runners of the instance take jobs', kind: 'check' },
  { name: 'group_runners_enabled', label: 'Runners of the group take jobs', kind: 'check' },
  {
    name: 'public_jobs',
    label: 'Everyone who sees the project sees its pipelines',
    kind: 'check',
  },
  {
    name: 'keep_latest_artifact',
    label: 'Keep the artifacts of the latest successful pipeline of each ref',
    kind: 'check',
  },
  {
    name: 'ci_forward_deployment_enabled',
    label: 'Fail jobs that would deploy an older commit than the current one',
    kind: 'check',
  },
  {
    name: 'ci_forward_deployment_rollback_allowed',
    label: 'Such a job may be retried to roll back',
    kind: 'check',
  },
  {
    name: 'allow_pipeline_trigger_approve_deployment',
    label: 'Who starts a deployment may approve it',
    kind: 'check',
  },
  {
    name: 'secure_files_protected_refs_only',
    label: 'Only jobs on protected refs get secure files',
    kind: 'check',
  },
]
