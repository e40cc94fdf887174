import { type Static, Type } from 'typebox'

import { recordOf } from '../../../../lib/record-of.js'
import { SECONDS_PER_DAY } from '../../../../lib/time-units.js'
import { OVERRIDE_ROLES } from '../../../access/may-set-variables.js'
import { FEATURE_COLUMNS, isFeatureThere, SWITCH_NAMES } from '../../../access/project-features.js'
import { described, optional } from '../../../http/parameters/described.js'
import {
  DateOnly,
  DateTime,
  Nullable,
  NullableText,
  OneOf,
  SortDirection,
  Visibility,
} from '../../../http/parameters/types.js'
import { AvatarParameter } from '../../avatars/avatar-parameter.js'

const Flag = Type.Boolean()
const Texts = Type.Array(Type.String())
/** `public` is the older name of `enabled`, and has a meaning of its own for sites. */
const LevelGiven = OneOf('disabled', 'private', 'enabled', 'public')

const levelField = optional(
  LevelGiven,
  'Access to the feature: nobody (`disabled`), members (`private`), or all who can see the project (`enabled`).',
)
const switchField = optional(Flag, 'Deprecated form of the `*_access_level` of the feature: on or off.')

const withoutEffect = optional(
  LevelGiven,
  'Access to the feature; stored only, since the feature does not exist yet.',
)

const siteLevelField = optional(
  LevelGiven,
  'Readers of the published site: nobody (`disabled`), members (`private`), all who can see the project (`enabled`), or everybody (`public`).',
)

const featureFields = {
  ...recordOf(FEATURE_COLUMNS, (column) => (isFeatureThere(column) ? levelField : withoutEffect)),
  pages_access_level: siteLevelField,
}
const switchFields = recordOf(SWITCH_NAMES, () => switchField)

const pipelineFields = {
  ci_config_path: optional(
    Nullable(Type.String({ maxLength: 255 })),
    'Path of the CI file; null or empty for `.gitlab-ci.yml`.',
  ),
  ci_default_git_depth: optional(
    Type.Integer({ minimum: 0, maximum: 1000 }),
    'Number of commits that jobs fetch; 0 for all.',
  ),
  build_timeout: optional(
    Type.Integer({ minimum: 600, maximum: 2_678_400 }),
    'Maximum job duration, in seconds, from ten minutes to a month.',
  ),
  build_git_strategy: optional(
    OneOf('fetch', 'clone'),
    'Default git strategy of jobs without `GIT_STRATEGY`.',
  ),
  build_coverage_regex: optional(
    Nullable(Type.String({ maxLength: 255 })),
    'Regular expression (RE2) for the code coverage in job logs, for jobs without `coverage`; null for none.',
  ),
  shared_runners_enabled: optional(Flag, 'Whether instance runners take jobs of the project.'),
  group_runners_enabled: optional(Flag, 'Whether group runners take jobs of the project.'),
  auto_cancel_pending_pipelines: optional(
    OneOf('enabled', 'disabled'),
    'Whether a new pipeline cancels older pipelines of its ref that it makes redundant.',
  ),
  restrict_user_defined_variables: optional(
    Flag,
    'Whether only a minimum role may set variables of pipelines and jobs.',
  ),
  ci_pipeline_variables_minimum_override_role: optional(
    OneOf(...OVERRIDE_ROLES),
    'Minimum role to set variables.',
  ),
  hold_failed_jobs_minimum_role: optional(
    OneOf(...OVERRIDE_ROLES),
    'Minimum role of the users whose failed jobs are held, unless `SWITCHYARD_HOLD` of a job says otherwise.',
  ),
  ci_forward_deployment_enabled: optional(
    Flag,
    'Whether jobs that would deploy an older commit than the current one fail.',
  ),
  ci_forward_deployment_rollback_allowed: optional(
    Flag,
    'Whether such a job may be retried if it was successful.',
  ),
  allow_pipeline_trigger_approve_deployment: optional(
    Flag,
    'Whether the user who triggers a deployment to a protected environment may approve it; default false. With `true`, one user alone can deploy.',
  ),
  secure_files_protected_refs_only: optional(
    Flag,
    'Whether secure files are available only to jobs on protected refs; default false. Users then need the Maintainer role to read them.',
  ),
  public_jobs: optional(Flag, 'Whether all who can see the project can see its pipelines.'),
  public_builds: optional(Flag, 'Deprecated name of `public_jobs`.'),
  keep_latest_artifact: optional(
    Flag,
    'Whether the artifacts of the latest successful pipeline of each ref are kept.',
  ),
  max_artifacts_size: optional(
    Nullable(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })),
    'Maximum size of an artifact, in MB, if below the limit of the instance; null for the limit of the instance.',
  ),
  ci_delete_pipelines_in_seconds: optional(
    Nullable(Type.Integer({ minimum: SECONDS_PER_DAY, maximum: 365 * SECONDS_PER_DAY })),
    'Age after which pipelines are deleted, in seconds, from a day to a year, if below the limit of the instance; null for the limit of the instance.',
  ),
  auto_devops_enabled: optional(Flag, 'Stored only; there is no Auto DevOps.'),
  auto_devops_deploy_strategy: optional(
    OneOf('continuous', 'manual', 'timed_incremental'),
    'Stored only; there is no Auto DevOps.',
  ),
}

const mergeFields = {
  merge_method: optional(OneOf('merge', 'rebase_merge', 'ff'), 'Merge method of merge requests.'),
  squash_option: optional(
    OneOf('never', 'always', 'default_on', 'default_off'),
    'Squash option of merge requests.',
  ),
  only_allow_merge_if_pipeline_succeeds: optional(Flag, 'Whether a merge requires a successful pipeline.'),
  allow_merge_on_skipped_pipeline: optional(
    Flag,
    'Whether a skipped pipeline counts as successful for a merge.',
  ),
  merge_trains_enabled: optional(
    Flag,
    'Whether merge requests that are merged automatically wait for each other in a merge train.',
  ),
  merge_trains_limit: optional(
    Type.Integer({ minimum: 1, maximum: 100 }),
    'Maximum number of pipelines that a merge train runs at the same time.',
  ),
  only_allow_merge_if_all_discussions_are_resolved: optional(
    Flag,
    'Whether a merge requires all discussions to be resolved.',
  ),
  only_allow_merge_if_all_status_checks_passed: optional(
    Flag,
    'Whether a merge requires all external status checks to have passed.',
  ),
  resolve_outdated_diff_discussions: optional(
    Flag,
    'Whether a push resolves discussions on lines that it changes.',
  ),
  remove_source_branch_after_merge: optional(
    Flag,
    'Whether merge requests delete their source branch by default.',
  ),
  printing_merge_request_link_enabled: optional(
    Flag,
    'Whether git shows where a merge request is, or can be created, after a push.',
  ),
  approvals_before_merge: optional(
    Type.Integer({ minimum: 0, maximum: 1000 }),
    'Number of approvals that merge requests require by default.',
  ),
  merge_commit_template: optional(
    Nullable(Type.String({ maxLength: 500 })),
    'Template of merge commit messages; null for the default.',
  ),
  squash_commit_template: optional(
    Nullable(Type.String({ maxLength: 500 })),
    'Template of squash commit messages; null for the default.',
  ),
  suggestion_commit_message: optional(
    Nullable(Type.String({ maxLength: 255 })),
    'Template of suggestion commit messages; null for the default.',
  ),
  autoclose_referenced_issues: optional(
    Flag,
    'Whether commits on the default branch, and merges into it, close the issues that they reference.',
  ),
}

const editFields = {
  description: optional(NullableText, 'Description of the project; null if there is none.'),
  visibility: optional(Visibility, 'Visibility: for members, for all users, or for everyone.'),
  default_branch: optional(
    Type.String({ minLength: 1, maxLength: 255 }),
    'Name of the default branch, which must exist.',
  ),
  avatar: Type.Optional(AvatarParameter),
  topics: optional(Texts, 'Topics of the project; also as one string with commas.'),
  tag_list: optional(Texts, 'Deprecated name of `topics`.'),
  request_access_enabled: optional(Flag, 'Whether users can request access.'),
  lfs_enabled: optional(Flag, 'Whether the project stores Git LFS objects; default that of the namespace.'),
  emails_disabled: optional(Flag, 'Whether what happens in the project causes no mails.'),
  mirror: optional(
    Flag,
    'Only `false` is accepted: `PUT /projects/:id/mirror/pull` makes a project a mirror.',
  ),
  repository_storage: optional(
    Type.String(),
    'Storage of the repository; administrators only, and only `default` is accepted.',
  ),
  ...featureFields,
  ...switchFields,
  ...pipelineFields,
  ...mergeFields,
}

const Name = Type.String({ minLength: 1, maxLength: 255 })

export const CreateProject = Type.Object({
  name: optional(Name, 'Name of the project; default the path.'),
  path: optional(Name, 'Path of the project, without its namespace; default derived from the name.'),
  namespace_id: optional(
    Nullable(Type.Integer()),
    'ID of the group or personal namespace; null or absent for that of the caller.',
  ),
  initialize_with_readme: optional(Flag, 'Whether to create a first commit with a README.md.'),
  import_url: optional(
    Nullable(Type.String({ maxLength: 2048 })),
    'URL (HTTP or HTTPS) of a git repository to import, which may contain credentials; see `import_status`.',
  ),
  template_name: optional(NullableText, 'Not supported: there are no project templates.'),
  template_project_id: optional(Nullable(Type.Integer()), 'Not supported: there are no project templates.'),
  use_custom_template: optional(Flag, 'Only `false` is accepted: there are no project templates.'),
  repository_object_format: optional(OneOf('sha1'), 'Hash algorithm of the repository; only `sha1`.'),
  ...editFields,
})
export type CreateProject = Static<typeof CreateProject>

export const CreateProjectForUser = Type.Object({
  ...CreateProject.properties,
  user_id: described(Type.Integer(), 'ID of the user who owns the namespace.'),
})

export const EditProject = Type.Object({
  name: optional(Name, 'Name of the project.'),
  path: optional(Name, 'Path of the project, without its namespace.'),
  ...editFields,
})
export type EditProject = Static<typeof EditProject>

export const RemoveProject = Type.Object({
  permanently_remove: optional(
    Flag,
    'Whether to delete a project that is marked for deletion immediately. Without delayed deletion, projects are always deleted immediately.',
  ),
  full_path: optional(
    Type.String(),
    'Full path of the project, required with `permanently_remove`: nothing is deleted if it belongs to another project.',
  ),
})
export type RemoveProject = Static<typeof RemoveProject>

export const GetProject = Type.Object({
  statistics: optional(Flag, 'Whether to include `statistics`; requires the Reporter role.'),
  license: optional(Flag, 'Whether to include `license` and `license_url`.'),
  with_custom_attributes: optional(Flag, 'Whether to include `custom_attributes`; administrators only.'),
})
export type GetProject = Static<typeof GetProject>

const LEVELS = Type.Integer({ minimum: 0, maximum: 50 })

export const ListProjects = Type.Object({
  archived: optional(Flag, 'Whether to return only archived projects, or only those that are not.'),
  visibility: optional(Visibility, 'Visibility to filter by.'),
  order_by: optional(
    OneOf(
      ...(['id', 'name', 'path', 'created_at', 'updated_at', 'last_activity_at', 'star_count'] as const),
      'storage_size',
    ),
    'Field to order by; default `created_at`. `storage_size` (as of the last half hour) is for administrators; for others it is the default.',
  ),
  sort: optional(SortDirection, 'Sort order; default `desc`.'),
  search: optional(Type.String(), 'Part of the name or path to search for, case-insensitive.'),
  search_namespaces: optional(Flag, 'Whether `search` also matches the full path.'),
  simple: optional(Flag, 'Whether to return only basic fields.'),
  owned: optional(Flag, 'Whether to return only projects that the caller owns.'),
  membership: optional(Flag, 'Whether to return only projects of which the caller is a member.'),
  starred: optional(Flag, 'Whether to return only projects that the caller has starred.'),
  imported: optional(Flag, 'Whether to return only imported projects.'),
  statistics: optional(Flag, 'Whether to include `statistics`.'),
  with_custom_attributes: optional(Flag, 'Whether to include `custom_attributes`; administrators only.'),
  custom_attributes: optional(
    Type.Record(Type.String(), Type.String()),
    'Custom attributes to filter by; administrators only.',
  ),
  with_issues_enabled: optional(Flag, 'Whether to return only projects with issues enabled.'),
  with_merge_requests_enabled: optional(Flag, 'Whether to return only projects with merge requests enabled.'),
  with_programming_language: optional(Type.String(), 'Programming language to filter by.'),
  min_access_level: optional(LEVELS, 'Minimum access level of the caller.'),
  topic: optional(
    Type.String(),
    'Topics to filter by, separated by commas; a project must have all of them.',
  ),
  id_after: optional(Type.Integer(), 'Return only projects with a greater ID.'),
  id_before: optional(Type.Integer(), 'Return only projects with a smaller ID.'),
  last_activity_after: optional(DateTime(), 'Earliest time of the last activity.'),
  last_activity_before: optional(DateTime(), 'Latest time of the last activity.'),
  marked_for_deletion_on: optional(DateOnly(), 'Day on which the projects were marked for deletion, in UTC.'),
  marked_for_deletion: optional(
    Flag,
    'Whether to return only projects that are marked for deletion, or only those that are not (beyond the reference).',
  ),
  include_pending_delete: optional(
    Flag,
    'Accepted without effect: projects marked for deletion are listed, those being deleted are not.',
  ),
  repository_storage: optional(
    Type.String(),
    'Storage of the repository; administrators only, all are in `default`.',
  ),
  wiki_checksum_failed: optional(Flag, 'Accepted without effect; no checksum failed.'),
  repository_checksum_failed: optional(Flag, 'Accepted without effect; no checksum failed.'),
})
export type ListProjects = Static<typeof ListProjects>

export const ListProjectsOfUser = Type.Object({
  ...ListProjects.properties,
  user_id: described(Type.String(), 'ID or username of the user.'),
})
