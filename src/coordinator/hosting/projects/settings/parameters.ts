import { type Static, Type } from 'typebox'

import { recordOf } from '../../../../lib/record-of.js'
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
/** `public` is the older word for what everybody who sees the project may use. */
const LevelGiven = OneOf('disabled', 'private', 'enabled', 'public')

const levelField = optional(
  LevelGiven,
  'Whom the feature is for: nobody (`disabled`), members (`private`), or whoever sees the project (`enabled`).',
)
const switchField = optional(Flag, 'Older form of the `*_access_level` of the feature: on or off.')

const withoutEffect = optional(
  LevelGiven,
  'Whom the feature would be for; stored for clients that set it, for the feature is not there yet.',
)

const featureFields = recordOf(FEATURE_COLUMNS, (column) =>
  isFeatureThere(column) ? levelField : withoutEffect,
)
const switchFields = recordOf(SWITCH_NAMES, () => switchField)

const pipelineFields = {
  ci_config_path: optional(
    Nullable(Type.String({ maxLength: 255 })),
    'Path of the CI file; null or empty = `.gitlab-ci.yml`.',
  ),
  ci_default_git_depth: optional(
    Type.Integer({ minimum: 0, maximum: 1000 }),
    'Commits that jobs fetch; 0 fetches everything.',
  ),
  build_timeout: optional(
    Type.Integer({ minimum: 600, maximum: 2_678_400 }),
    'Seconds that a job may take: ten minutes to a month.',
  ),
  build_git_strategy: optional(
    OneOf('fetch', 'clone'),
    'How jobs get the sources unless their `GIT_STRATEGY` says so.',
  ),
  build_coverage_regex: optional(
    Nullable(Type.String({ maxLength: 255 })),
    'Regular expression (RE2) that finds the coverage in the logs of jobs without a `coverage` of their own; null = none.',
  ),
  shared_runners_enabled: optional(Flag, 'Whether runners of the instance take jobs of the project.'),
  group_runners_enabled: optional(Flag, 'Whether runners of its groups take jobs of the project.'),
  auto_cancel_pending_pipelines: optional(
    OneOf('enabled', 'disabled'),
    'Whether a new pipeline cancels the older ones of its ref that it makes redundant.',
  ),
  restrict_user_defined_variables: optional(
    Flag,
    'Whether only a role and those above it may give variables to a pipeline or a job.',
  ),
  ci_pipeline_variables_minimum_override_role: optional(
    OneOf(...OVERRIDE_ROLES),
    'The role from which on variables may be given.',
  ),
  ci_forward_deployment_enabled: optional(Flag, 'Whether jobs fail that would deploy older code over newer.'),
  ci_forward_deployment_rollback_allowed: optional(
    Flag,
    'Whether such a job may be repeated if it had succeeded.',
  ),
  allow_pipeline_trigger_approve_deployment: optional(
    Flag,
    'Whether the user who triggers a deployment to a protected environment may approve it; default false. With `true`, one user alone can deploy.',
  ),
  secure_files_protected_refs_only: optional(
    Flag,
    'Whether jobs get secure files on protected refs only; default false. Users need the Maintainer role for them then.',
  ),
  public_jobs: optional(Flag, 'Whether everyone who sees the project sees its pipelines.'),
  public_builds: optional(Flag, 'Older name of `public_jobs`.'),
  keep_latest_artifact: optional(
    Flag,
    'Whether the newest successful pipeline of each ref keeps its artifacts.',
  ),
  max_artifacts_size: optional(
    Nullable(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })),
    'Megabytes that an artifact of a job may have, if that is less than the instance allows; null = as the instance sets it.',
  ),
  auto_devops_enabled: optional(Flag, 'Stored for clients that set it: there is no Auto DevOps.'),
  auto_devops_deploy_strategy: optional(
    OneOf('continuous', 'manual', 'timed_incremental'),
    'Stored for clients that set it: there is no Auto DevOps.',
  ),
}

/** There are no merge requests, issues and suggestions yet. */
const WITHOUT_EFFECT = 'Stored for clients that set it, without effect as yet:'

const mergeFields = {
  merge_method: optional(
    OneOf('merge', 'rebase_merge', 'ff'),
    `${WITHOUT_EFFECT} how merge requests are merged.`,
  ),
  squash_option: optional(
    OneOf('never', 'always', 'default_on', 'default_off'),
    `${WITHOUT_EFFECT} whether the commits of a merge request become one.`,
  ),
  only_allow_merge_if_pipeline_succeeds: optional(
    Flag,
    `${WITHOUT_EFFECT} whether merging wants a successful pipeline.`,
  ),
  allow_merge_on_skipped_pipeline: optional(
    Flag,
    `${WITHOUT_EFFECT} whether a skipped pipeline will do for that.`,
  ),
  only_allow_merge_if_all_discussions_are_resolved: optional(
    Flag,
    `${WITHOUT_EFFECT} whether merging wants all discussions resolved.`,
  ),
  resolve_outdated_diff_discussions: optional(
    Flag,
    `${WITHOUT_EFFECT} whether a push resolves discussions about lines that it changes.`,
  ),
  remove_source_branch_after_merge: optional(
    Flag,
    `${WITHOUT_EFFECT} whether merge requests delete their branch by default.`,
  ),
  printing_merge_request_link_enabled: optional(
    Flag,
    `${WITHOUT_EFFECT} whether a push is answered with the address to make a merge request at.`,
  ),
  approvals_before_merge: optional(
    Type.Integer({ minimum: 0, maximum: 1000 }),
    `${WITHOUT_EFFECT} approvals that a merge request wants by default.`,
  ),
  merge_commit_template: optional(
    Nullable(Type.String({ maxLength: 500 })),
    `${WITHOUT_EFFECT} message of merge commits; null = the default one.`,
  ),
  squash_commit_template: optional(
    Nullable(Type.String({ maxLength: 500 })),
    `${WITHOUT_EFFECT} message of squash commits; null = the default one.`,
  ),
  suggestion_commit_message: optional(
    Nullable(Type.String({ maxLength: 255 })),
    `${WITHOUT_EFFECT} message of commits that apply suggestions; null = the default one.`,
  ),
  autoclose_referenced_issues: optional(
    Flag,
    `${WITHOUT_EFFECT} whether commits on the default branch close issues they name.`,
  ),
}

const editFields = {
  description: optional(NullableText, 'What the project is; null = nothing said.'),
  visibility: optional(Visibility, 'Who sees the project: its members, all users, everybody.'),
  default_branch: optional(
    Type.String({ minLength: 1, maxLength: 255 }),
    'The branch that is meant when none is named; it must exist.',
  ),
  avatar: Type.Optional(AvatarParameter),
  topics: optional(Texts, 'Words to find the project by, also as one text with commas.'),
  tag_list: optional(Texts, 'Older name of `topics`.'),
  request_access_enabled: optional(Flag, 'Whether users may ask to become members.'),
  lfs_enabled: optional(Flag, 'Stored for clients that set it: large files are not kept apart.'),
  emails_disabled: optional(Flag, 'Stored for clients that set it: no e-mail is sent.'),
  mirror: optional(Flag, 'Only `false`: pull mirroring is not offered.'),
  repository_storage: optional(Type.String(), 'Administrators only; `default` is the only one.'),
  ...featureFields,
  ...switchFields,
  ...pipelineFields,
  ...mergeFields,
}

const Name = Type.String({ minLength: 1, maxLength: 255 })

export const CreateProject = Type.Object({
  name: optional(Name, 'What people call it; default: the path.'),
  path: optional(Name, 'Last part of its address; default: made of the name.'),
  namespace_id: optional(
    Nullable(Type.Integer()),
    'The group or personal namespace; null or absent = that of the caller.',
  ),
  initialize_with_readme: optional(Flag, 'Whether the repository begins with a commit of a README.md.'),
  import_url: optional(
    Nullable(Type.String({ maxLength: 2048 })),
    'HTTP(S) address of a git repository to copy, which may hold credentials; see `import_status`.',
  ),
  template_name: optional(NullableText, 'Refused: there are no project templates.'),
  template_project_id: optional(Nullable(Type.Integer()), 'Refused: there are no project templates.'),
  use_custom_template: optional(Flag, 'Only `false`: there are no project templates.'),
  repository_object_format: optional(OneOf('sha1'), 'Ids of objects; only `sha1`.'),
  ...editFields,
})
export type CreateProject = Static<typeof CreateProject>

export const CreateProjectForUser = Type.Object({
  ...CreateProject.properties,
  user_id: described(Type.Integer(), 'Whose personal namespace it lies in.'),
})

export const EditProject = Type.Object({
  name: optional(Name, 'What people call it.'),
  path: optional(Name, 'Last part of its address.'),
  ...editFields,
})
export type EditProject = Static<typeof EditProject>

export const RemoveProject = Type.Object({
  permanently_remove: optional(
    Flag,
    'Removes a project that is marked for deletion before its days are over. Where projects are not kept they are always removed at once.',
  ),
  full_path: optional(
    Type.String(),
    'With `permanently_remove`, the whole present address of the project: nothing is removed when it is that of another one.',
  ),
})
export type RemoveProject = Static<typeof RemoveProject>

export const GetProject = Type.Object({
  statistics: optional(Flag, 'Whether `statistics` is in the answer; for reporters and above.'),
  license: optional(Flag, 'Whether `license` and `license_url` are in the answer.'),
  with_custom_attributes: optional(Flag, 'Whether `custom_attributes` is in the answer; for administrators.'),
})
export type GetProject = Static<typeof GetProject>

const LEVELS = Type.Integer({ minimum: 0, maximum: 50 })

export const ListProjects = Type.Object({
  archived: optional(Flag, 'Only those that are archived, or are not.'),
  visibility: optional(Visibility, 'Only those of this visibility.'),
  order_by: optional(
    OneOf('id', 'name', 'path', 'created_at', 'updated_at', 'last_activity_at', 'star_count'),
    'Default: `created_at`.',
  ),
  sort: optional(SortDirection, 'Default: `desc`.'),
  search: optional(Type.String(), 'Only those with this in name or path, in either case.'),
  search_namespaces: optional(Flag, 'Whether `search` looks at the whole address.'),
  simple: optional(Flag, 'Whether only the simple records are wanted.'),
  owned: optional(Flag, 'Only those that the caller owns.'),
  membership: optional(Flag, 'Only those that the caller is a member of.'),
  starred: optional(Flag, 'Only those that the caller has starred.'),
  imported: optional(Flag, 'Only those that were imported.'),
  statistics: optional(Flag, 'Whether `statistics` is in the records.'),
  with_custom_attributes: optional(
    Flag,
    'Whether `custom_attributes` is in the records; for administrators.',
  ),
  custom_attributes: optional(
    Type.Record(Type.String(), Type.String()),
    'Only those with these attributes; for administrators.',
  ),
  with_issues_enabled: optional(Flag, 'Only those with issues.'),
  with_merge_requests_enabled: optional(Flag, 'Only those with merge requests.'),
  with_programming_language: optional(Type.String(), 'Only those that use this language.'),
  min_access_level: optional(LEVELS, 'Only those where the caller has at least this level.'),
  topic: optional(Type.String(), 'Only those with all of these topics, separated by commas.'),
  id_after: optional(Type.Integer(), 'Only those with a greater id.'),
  id_before: optional(Type.Integer(), 'Only those with a smaller id.'),
  last_activity_after: optional(DateTime(), 'Only those with activity after that time.'),
  last_activity_before: optional(DateTime(), 'Only those without activity since that time.'),
  marked_for_deletion_on: optional(
    DateOnly(),
    'Only those that were marked for deletion on that day, in UTC.',
  ),
  include_pending_delete: optional(
    Flag,
    'Accepted for clients that send it: those marked for deletion are in the list, those being removed are not.',
  ),
  repository_storage: optional(
    Type.String(),
    'Administrators only: where the repository lies; all in `default`.',
  ),
  wiki_checksum_failed: optional(Flag, 'Accepted for clients that send it; there are no wikis.'),
  repository_checksum_failed: optional(Flag, 'Accepted for clients that send it; none has failed.'),
})
export type ListProjects = Static<typeof ListProjects>

export const ListProjectsOfUser = Type.Object({
  ...ListProjects.properties,
  user_id: described(Type.String(), 'Id or name of the user.'),
})
