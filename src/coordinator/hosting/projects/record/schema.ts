import { type Static, Type } from 'typebox'

import { recordOf } from '../../../../lib/record-of.js'
import { FEATURE_COLUMNS, SWITCH_NAMES } from '../../../access/project-features.js'
import { described, optional } from '../../../http/parameters/described.js'
import {
  DateOnly,
  DateTime,
  Nullable,
  NullableText,
  OneOf,
  Visibility,
} from '../../../http/parameters/types.js'

const Flag = Type.Boolean()
const Count = Type.Integer()
const Texts = Type.Array(Type.String())

const Namespace = Type.Object({
  id: described(Count, 'ID of the namespace.'),
  name: described(Type.String(), 'Name of the namespace.'),
  path: described(Type.String(), 'Path of the namespace, without its parents.'),
  kind: described(OneOf('user', 'group'), 'Type of the namespace: user or group.'),
  full_path: described(Type.String(), 'Full path of the namespace.'),
  parent_id: described(Nullable(Count), 'ID of the parent group; null if there is none.'),
  avatar_url: described(NullableText, 'URL of the avatar; null if there is none.'),
  web_url: described(Type.String(), 'URL of the namespace page.'),
})

const simpleFields = {
  id: described(Count, 'ID of the project.'),
  description: described(NullableText, 'Description of the project; null if there is none.'),
  name: described(Type.String(), 'Name of the project.'),
  name_with_namespace: described(Type.String(), 'Full name of the project, with the names of its groups.'),
  path: described(Type.String(), 'Path of the project, without its namespace.'),
  path_with_namespace: described(Type.String(), 'Full path of the project.'),
  created_at: described(DateTime(), 'Time of creation.'),
  default_branch: described(NullableText, 'Name of the default branch; null without branches.'),
  tag_list: described(Texts, 'Deprecated name of `topics`.'),
  topics: described(Texts, 'Topics of the project.'),
  ssh_url_to_repo: described(
    Type.String(),
    'URL to clone the repository from over SSH, if the instance serves it.',
  ),
  http_url_to_repo: described(Type.String(), 'URL to clone the repository from.'),
  web_url: described(Type.String(), 'URL of the project page.'),
  readme_url: described(NullableText, 'URL of the README on the default branch; null if there is none.'),
  avatar_url: described(NullableText, 'URL of the avatar; null if there is none.'),
  forks_count: described(Count, 'Number of forks.'),
  star_count: described(Count, 'Number of stars.'),
  last_activity_at: described(DateTime(), 'Time of the last push.'),
  namespace: described(Namespace, 'Namespace of the project.'),
}

export const SimpleProject = Type.Object(simpleFields)
export type SimpleProject = Static<typeof SimpleProject>

const AccessRecord = Nullable(
  Type.Object({
    access_level: described(
      Count,
      'Access level: 10 guest, 20 reporter, 30 developer, 40 maintainer, 50 owner.',
    ),
    notification_level: described(Count, 'Notification level; 3 = the global setting of the user.'),
  }),
)
const FeatureAccess = OneOf('disabled', 'private', 'enabled')

const levelField = described(
  FeatureAccess,
  'Access to the feature: `disabled`, `private` for members only, or for all who can see the project.',
)
const switchField = described(Flag, 'Whether the `*_access_level` of the feature is not `disabled`.')
const levelFields = {
  ...recordOf(FEATURE_COLUMNS, () => levelField),
  pages_access_level: described(
    OneOf('disabled', 'private', 'enabled', 'public'),
    'Readers of the published site: nobody (`disabled`), members (`private`), all who can see the project (`enabled`), or everybody (`public`).',
  ),
}
const switchFields = recordOf(SWITCH_NAMES, () => switchField)

const peopleFields = {
  creator_id: described(Count, 'ID of the creator.'),
  owner: optional(
    Type.Object({
      id: described(Count, 'ID of the user.'),
      name: described(Type.String(), 'Name of the user.'),
      username: described(Type.String(), 'Username of the account.'),
      created_at: described(DateTime(), 'Creation time of the account.'),
    }),
    'Owner of a personal project.',
  ),
  permissions: optional(
    Type.Object({
      project_access: described(AccessRecord, 'Membership of the project; null if there is none.'),
      group_access: described(AccessRecord, 'Membership of its groups; null if there is none.'),
    }),
    'Permissions of the caller; only for authenticated callers.',
  ),
  shared_with_groups: described(
    Type.Array(
      Type.Object({
        group_id: described(Count, 'ID of the group.'),
        group_name: described(Type.String(), 'Name of the group.'),
        group_full_path: described(Type.String(), 'Full path of the group.'),
        group_access_level: described(Count, 'Maximum access level of members of the group.'),
        expires_at: described(
          Nullable(DateOnly()),
          'First day without access; null if the share does not expire.',
        ),
      }),
    ),
    'Groups with which the project is shared.',
  ),
  request_access_enabled: described(Flag, 'Whether users can request access.'),
}

const pipelineFields = {
  shared_runners_enabled: described(Flag, 'Whether instance runners take jobs of the project.'),
  group_runners_enabled: described(Flag, 'Whether group runners take jobs of the project.'),
  runners_token: optional(Type.String(), 'Registration token for project runners; only for maintainers.'),
  ci_default_git_depth: described(Count, 'Number of commits that jobs fetch; 0 for all.'),
  ci_config_path: described(NullableText, 'Path of the CI file; null = `.gitlab-ci.yml`.'),
  ci_job_token_scope_enabled: described(
    Flag,
    'Always false: access with job tokens is limited by the target projects only.',
  ),
  build_timeout: described(Count, 'Maximum job duration, in seconds.'),
  build_git_strategy: optional(
    Type.String(),
    'Default git strategy: `fetch` or `clone`; only for maintainers.',
  ),
  build_coverage_regex: described(
    NullableText,
    'Regular expression for the code coverage in job logs, for jobs without `coverage`; null if there is none.',
  ),
  auto_cancel_pending_pipelines: described(
    Type.String(),
    'Whether redundant pipelines are canceled: `enabled` or `disabled`.',
  ),
  auto_devops_enabled: described(Flag, 'Stored value; there is no Auto DevOps.'),
  auto_devops_deploy_strategy: described(Type.String(), 'Stored value; there is no Auto DevOps.'),
  restrict_user_defined_variables: described(Flag, 'Whether only some roles may set pipeline variables.'),
  ci_pipeline_variables_minimum_override_role: described(
    Type.String(),
    'Minimum role to set pipeline variables.',
  ),
  hold_failed_jobs_minimum_role: described(
    Type.String(),
    'Minimum role of the users whose failed jobs are held.',
  ),
  ci_forward_deployment_enabled: described(
    Flag,
    'Whether jobs that would deploy an older commit than the current one fail.',
  ),
  ci_forward_deployment_rollback_allowed: described(Flag, 'Whether such a job may be retried.'),
  allow_pipeline_trigger_approve_deployment: described(
    Flag,
    'Whether the user who triggered a deployment may approve it.',
  ),
  secure_files_protected_refs_only: described(
    Flag,
    'Whether secure files are available only to jobs on protected refs.',
  ),
  public_jobs: described(Flag, 'Whether all who can see the project can see its pipelines.'),
  keep_latest_artifact: described(Flag, 'Whether the artifacts of the latest successful pipelines are kept.'),
  max_artifacts_size: described(
    Nullable(Count),
    'Maximum size of an artifact, in MB, up to the limit of the instance; null for the limit of the instance.',
  ),
  ci_delete_pipelines_in_seconds: described(
    Nullable(Count),
    'Age after which pipelines are deleted, in seconds, up to the limit of the instance; null for the limit of the instance.',
  ),
}

const mergeFields = {
  merge_method: described(OneOf('merge', 'rebase_merge', 'ff'), 'Merge method of merge requests.'),
  squash_option: described(Type.String(), 'Squash option: `never`, `always`, `default_on` or `default_off`.'),
  only_allow_merge_if_pipeline_succeeds: described(Flag, 'Whether a merge requires a successful pipeline.'),
  allow_merge_on_skipped_pipeline: described(
    Flag,
    'Whether a skipped pipeline counts as successful for a merge.',
  ),
  merge_trains_enabled: described(
    Flag,
    'Whether merge requests that are merged automatically wait for each other in a merge train.',
  ),
  merge_trains_limit: described(
    Count,
    'Maximum number of pipelines that a merge train runs at the same time.',
  ),
  only_allow_merge_if_all_discussions_are_resolved: described(
    Flag,
    'Whether a merge requires all discussions to be resolved.',
  ),
  only_allow_merge_if_all_status_checks_passed: described(
    Flag,
    'Whether a merge requires all external status checks to have passed.',
  ),
  resolve_outdated_diff_discussions: described(
    Flag,
    'Whether a push resolves discussions on lines that it changes.',
  ),
  remove_source_branch_after_merge: described(
    Flag,
    'Whether merge requests delete their source branch by default.',
  ),
  printing_merge_request_link_enabled: described(
    Flag,
    'Whether git shows a link for a new merge request after a push.',
  ),
  autoclose_referenced_issues: described(Flag, 'Whether commits close the issues that they reference.'),
  approvals_before_merge: described(Count, 'Number of approvals that merge requests require by default.'),
  merge_commit_template: described(NullableText, 'Template of merge commit messages; null for the default.'),
  squash_commit_template: described(
    NullableText,
    'Template of squash commit messages; null for the default.',
  ),
  suggestion_commit_message: described(
    NullableText,
    'Template of suggestion commit messages; null for the default.',
  ),
  can_create_merge_request_in: described(Flag, 'Whether the caller can create merge requests.'),
}

const License = Type.Object({
  key: described(Type.String(), 'Key of the licence, such as `mit`.'),
  name: described(Type.String(), 'Full name of the licence.'),
  nickname: described(NullableText, 'Short name of the licence; null if there is none.'),
  html_url: described(Type.String(), 'URL of a page about the licence.'),
  source_url: described(NullableText, 'URL of the source text; null if unknown.'),
})

const Statistics = Type.Object({
  commit_count: described(Count, 'Number of commits in the default branch.'),
  storage_size: described(Count, 'Sum of all sizes, in bytes.'),
  repository_size: described(Count, 'Size of the repository, in bytes.'),
  wiki_size: described(Count, 'Size of the wiki, in bytes.'),
  lfs_objects_size: described(Count, 'Size of Git LFS objects, in bytes.'),
  job_artifacts_size: described(Count, 'Size of job artifacts, in bytes.'),
  packages_size: described(Count, 'Size of packages, in bytes: 0.'),
  snippets_size: described(Count, 'Size of snippets, in bytes.'),
  pipeline_artifacts_size: described(Count, 'Size of pipeline artifacts, in bytes: 0.'),
  container_registry_size: described(Count, 'Size of the container registry, in bytes: 0.'),
  uploads_size: described(Count, 'Size of uploads, in bytes.'),
})
export type Statistics = Static<typeof Statistics>

const Attribute = Type.Object({
  key: described(Type.String(), 'Name of the attribute.'),
  value: described(Type.String(), 'Value of the attribute.'),
})

const Links = Type.Object({
  self: described(Type.String(), 'URL of the project.'),
  issues: described(Type.Optional(Type.String()), 'URL of the issues; absent if they are disabled.'),
  merge_requests: described(
    Type.Optional(Type.String()),
    'URL of the merge requests; absent if they are disabled.',
  ),
  repo_branches: described(Type.String(), 'URL of the branches.'),
  labels: described(Type.String(), 'URL of the labels.'),
  events: described(Type.String(), 'URL of the events.'),
  members: described(Type.String(), 'URL of the members.'),
})

export const FullProject = Type.Object({
  ...simpleFields,
  visibility: described(Visibility, 'Visibility: for members, for all users, or for everyone.'),
  archived: described(Flag, 'Whether the project is archived and read-only.'),
  empty_repo: described(Flag, 'Whether the repository has no branches.'),
  open_issues_count: described(Count, 'Number of open issues.'),
  ...levelFields,
  ...switchFields,
  ...peopleFields,
  ...pipelineFields,
  ...mergeFields,
  import_status: described(Type.String(), '`none`, `scheduled`, `started`, `finished` or `failed`.'),
  import_type: described(
    NullableText,
    'Type of the import: `git` or `fork`; null if the project was not imported.',
  ),
  import_url: described(NullableText, 'Always null: the URL may contain credentials.'),
  import_error: optional(NullableText, 'Error of the import; null if there was none. Only for maintainers.'),
  forked_from_project: optional(SimpleProject, 'Source project, if visible to the caller.'),
  license_url: described(
    NullableText,
    'URL of the licence file; null if there is none, or if not requested.',
  ),
  license: described(Nullable(License), 'Licence; null if unknown, or if not requested.'),
  statistics: optional(Statistics, 'Sizes of the project; only on request.'),
  custom_attributes: optional(
    Type.Array(Attribute),
    'Custom attributes; only on request of an administrator.',
  ),
  lfs_enabled: described(Flag, 'Whether the project stores Git LFS objects.'),
  packages_enabled: described(Flag, 'Always false: there is no package registry.'),
  service_desk_enabled: described(Flag, 'Always false: there is no service desk.'),
  emails_disabled: described(Flag, 'Whether what happens in the project causes no mails.'),
  mirror: described(Flag, 'Whether it takes over branches of another repository.'),
  marked_for_deletion_at: described(Nullable(DateOnly()), 'Deprecated name of `marked_for_deletion_on`.'),
  marked_for_deletion_on: described(
    Nullable(DateOnly()),
    'Day of the deletion, in UTC: the project can only be read or restored, and is deleted some days later. Null if it is not marked for deletion.',
  ),
  repository_storage: optional(Type.String(), 'Storage of the repository; only for administrators.'),
  external_authorization_classification_label: described(
    NullableText,
    'Always null: no external service is asked.',
  ),
  _links: described(Links, 'URLs of related resources.'),
})
export type FullProject = Static<typeof FullProject>

/** Full or simple record, depending on the caller. */
export const AnyProject = Type.Union([FullProject, SimpleProject])

export const Accepted = Type.Object({
  message: described(Type.String(), '`202 Accepted`: the work is done in the background.'),
})

export const FetchStatistics = Type.Object({
  fetches: described(
    Type.Object({
      total: described(Count, 'Number of fetches and clones in the last 30 days.'),
      days: described(
        Type.Array(
          Type.Object({
            count: described(Count, 'Number of fetches and clones of the day.'),
            date: described(DateOnly(), 'Date of the day, in UTC.'),
          }),
        ),
        'Days with at least one fetch, the latest first.',
      ),
    }),
    'Fetches and clones over HTTP, including those of jobs.',
  ),
})

export const Languages = Type.Record(Type.String(), Type.Number(), {
  description: 'Percentages by language, the largest first.',
})
