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
  id: described(Count, 'Number of the namespace.'),
  name: described(Type.String(), 'What people call it.'),
  path: described(Type.String(), 'Last part of its address.'),
  kind: described(OneOf('user', 'group'), 'Whether it is of a user or a group.'),
  full_path: described(Type.String(), 'Its whole address.'),
  parent_id: described(Nullable(Count), 'The group that it lies in; null = none.'),
  avatar_url: described(NullableText, 'Its picture; null without one.'),
  web_url: described(Type.String(), 'Its page.'),
})

const simpleFields = {
  id: described(Count, 'Number of the project.'),
  description: described(NullableText, 'What it is; null = nothing said.'),
  name: described(Type.String(), 'What people call it.'),
  name_with_namespace: described(Type.String(), 'The names of its groups and its own.'),
  path: described(Type.String(), 'Last part of its address.'),
  path_with_namespace: described(Type.String(), 'Its whole address.'),
  created_at: described(DateTime(), 'When it was made.'),
  default_branch: described(NullableText, 'Null until a branch is there.'),
  tag_list: described(Texts, 'Older name of `topics`.'),
  topics: described(Texts, 'Words to find it by.'),
  ssh_url_to_repo: described(
    Type.String(),
    'Address for SSH. Git is served over HTTP only: clone from `http_url_to_repo`.',
  ),
  http_url_to_repo: described(Type.String(), 'Where git clones it from.'),
  web_url: described(Type.String(), 'Its page.'),
  readme_url: described(NullableText, 'Page of its README on the default branch; null without one.'),
  avatar_url: described(NullableText, 'Its picture; null without one.'),
  forks_count: described(Count, 'Projects that were made of it.'),
  star_count: described(Count, 'Users who have starred it.'),
  last_activity_at: described(DateTime(), 'The last push.'),
  namespace: described(Namespace, 'Where it lies.'),
}

export const SimpleProject = Type.Object(simpleFields)
export type SimpleProject = Static<typeof SimpleProject>

const AccessRecord = Nullable(
  Type.Object({
    access_level: described(Count, '10 guest, 20 reporter, 30 developer, 40 maintainer, 50 owner.'),
    notification_level: described(Count, '3 = as the user sets it for all projects.'),
  }),
)
const FeatureAccess = OneOf('disabled', 'private', 'enabled')

const levelField = described(
  FeatureAccess,
  'Whom the feature is for: nobody (`disabled`), members (`private`), or whoever sees the project.',
)
const switchField = described(Flag, 'Whether the `*_access_level` of the feature is not `disabled`.')
const levelFields = recordOf(FEATURE_COLUMNS, () => levelField)
const switchFields = recordOf(SWITCH_NAMES, () => switchField)

const peopleFields = {
  creator_id: described(Count, 'Who made it.'),
  owner: optional(
    Type.Object({
      id: described(Count, 'Number of the user.'),
      name: described(Type.String(), 'What people call the user.'),
      username: described(Type.String(), 'Name of the account.'),
      created_at: described(DateTime(), 'When the account was made.'),
    }),
    'Of a personal project: whose it is.',
  ),
  permissions: optional(
    Type.Object({
      project_access: described(AccessRecord, 'Of a membership of the project; null without one.'),
      group_access: described(AccessRecord, 'Of a membership of its groups; null without one.'),
    }),
    'What the caller is here; only for signed-in callers.',
  ),
  shared_with_groups: described(
    Type.Array(
      Type.Object({
        group_id: described(Count, 'Number of the group.'),
        group_name: described(Type.String(), 'What people call it.'),
        group_full_path: described(Type.String(), 'Its whole address.'),
        group_access_level: described(Count, 'The most that its members are here.'),
        expires_at: described(Nullable(DateOnly()), 'First day without it; null = it lasts.'),
      }),
    ),
    'Groups whose members are members here.',
  ),
  request_access_enabled: described(Flag, 'Whether users may ask to become members.'),
}

const pipelineFields = {
  shared_runners_enabled: described(Flag, 'Whether runners of the instance take its jobs.'),
  group_runners_enabled: described(Flag, 'Whether runners of its groups take its jobs.'),
  runners_token: optional(Type.String(), 'Registers runners of the project; only for maintainers.'),
  ci_default_git_depth: described(Count, 'Commits that jobs fetch; 0 = everything.'),
  ci_config_path: described(NullableText, 'Path of the CI file; null = `.gitlab-ci.yml`.'),
  ci_job_token_scope_enabled: described(
    Flag,
    'Always false: where its jobs get to with their tokens is said by the projects there.',
  ),
  build_timeout: described(Count, 'Seconds that a job may take.'),
  build_git_strategy: optional(Type.String(), '`fetch` or `clone`; only for maintainers.'),
  build_coverage_regex: described(
    NullableText,
    'Finds the coverage in logs of jobs without a `coverage` of their own; null = none.',
  ),
  auto_cancel_pending_pipelines: described(Type.String(), '`enabled` or `disabled`.'),
  auto_devops_enabled: described(Flag, 'As it was set: there is no Auto DevOps.'),
  auto_devops_deploy_strategy: described(Type.String(), 'As it was set: there is no Auto DevOps.'),
  restrict_user_defined_variables: described(Flag, 'Whether only some may give variables to pipelines.'),
  ci_pipeline_variables_minimum_override_role: described(Type.String(), 'The role from which on they may.'),
  ci_forward_deployment_enabled: described(
    Flag,
    'Whether jobs fail that would deploy older code over newer.',
  ),
  ci_forward_deployment_rollback_allowed: described(Flag, 'Whether such a job may be repeated.'),
  allow_pipeline_trigger_approve_deployment: described(
    Flag,
    'Whether the user who triggers a deployment may approve it.',
  ),
  secure_files_protected_refs_only: described(Flag, 'Whether jobs get secure files on protected refs only.'),
  public_jobs: described(Flag, 'Whether everyone who sees the project sees its pipelines.'),
  keep_latest_artifact: described(Flag, 'Whether the newest successful pipelines keep their artifacts.'),
  max_artifacts_size: described(
    Nullable(Count),
    'Megabytes for an artifact of a job, if the instance allows as many; null = as the instance sets it.',
  ),
}

const mergeFields = {
  merge_method: described(OneOf('merge', 'rebase_merge', 'ff'), 'How merge requests are merged.'),
  squash_option: described(Type.String(), '`never`, `always`, `default_on` or `default_off`.'),
  only_allow_merge_if_pipeline_succeeds: described(Flag, 'Whether merging wants a successful pipeline.'),
  allow_merge_on_skipped_pipeline: described(Flag, 'Whether a skipped pipeline will do for that.'),
  only_allow_merge_if_all_discussions_are_resolved: described(
    Flag,
    'Whether merging wants no open discussion.',
  ),
  resolve_outdated_diff_discussions: described(
    Flag,
    'Whether a push resolves discussions about lines it changes.',
  ),
  remove_source_branch_after_merge: described(Flag, 'Whether merge requests delete their branch by default.'),
  printing_merge_request_link_enabled: described(Flag, 'Whether a push tells where to make a merge request.'),
  autoclose_referenced_issues: described(Flag, 'Whether commits close the issues that they name.'),
  approvals_before_merge: described(Count, 'Approvals that a merge request wants by default.'),
  merge_commit_template: described(NullableText, 'Message of merge commits; null = the default one.'),
  squash_commit_template: described(NullableText, 'Message of squash commits; null = the default one.'),
  suggestion_commit_message: described(
    NullableText,
    'Message of commits of suggestions; null = the default one.',
  ),
  can_create_merge_request_in: described(Flag, 'Whether the caller may make merge requests here.'),
}

const License = Type.Object({
  key: described(Type.String(), 'Short name, such as `mit`.'),
  name: described(Type.String(), 'Full name.'),
  nickname: described(NullableText, 'What people call it; null = nothing else.'),
  html_url: described(Type.String(), 'A page about it.'),
  source_url: described(NullableText, 'Its text; null = not known.'),
})

const Statistics = Type.Object({
  commit_count: described(Count, 'Commits of the default branch.'),
  storage_size: described(Count, 'Bytes of everything below.'),
  repository_size: described(Count, 'Bytes of the repository.'),
  wiki_size: described(Count, 'Bytes of the wiki: 0.'),
  lfs_objects_size: described(Count, 'Bytes of large files kept apart: 0.'),
  job_artifacts_size: described(Count, 'Bytes of the artifacts of jobs.'),
  packages_size: described(Count, 'Bytes of packages: 0.'),
  snippets_size: described(Count, 'Bytes of snippets: 0.'),
  pipeline_artifacts_size: described(Count, 'Bytes of the artifacts of pipelines: 0.'),
  container_registry_size: described(Count, 'Bytes of images: 0.'),
  uploads_size: described(Count, 'Bytes of uploads.'),
})
export type Statistics = Static<typeof Statistics>

const Attribute = Type.Object({
  key: described(Type.String(), 'Name of the attribute.'),
  value: described(Type.String(), 'What it is set to.'),
})

const Links = Type.Object({
  self: described(Type.String(), 'The project.'),
  repo_branches: described(Type.String(), 'Its branches.'),
  events: described(Type.String(), 'What happened in it.'),
  members: described(Type.String(), 'Its members.'),
})

export const FullProject = Type.Object({
  ...simpleFields,
  visibility: described(Visibility, 'Who sees it: its members, all users, everybody.'),
  archived: described(Flag, 'Whether it can only be read.'),
  empty_repo: described(Flag, 'Whether there is no branch yet.'),
  open_issues_count: described(Count, 'Issues that are open.'),
  ...levelFields,
  ...switchFields,
  ...peopleFields,
  ...pipelineFields,
  ...mergeFields,
  import_status: described(Type.String(), '`none`, `scheduled`, `started`, `finished` or `failed`.'),
  import_type: described(NullableText, '`git` or `fork`; null = it was not imported.'),
  import_url: described(NullableText, 'Always null: an address may hold credentials.'),
  import_error: optional(NullableText, 'Why the import failed; null = it did not. Only for maintainers.'),
  forked_from_project: optional(SimpleProject, 'What it was made of, if the caller may see it.'),
  license_url: described(NullableText, 'Page of the licence file; null = none, or not asked for.'),
  license: described(Nullable(License), 'The licence; null = none known, or not asked for.'),
  statistics: optional(Statistics, 'Present when asked for.'),
  custom_attributes: optional(Type.Array(Attribute), 'Present when an administrator asks for it.'),
  lfs_enabled: described(Flag, 'As it was set: large files are not kept apart.'),
  packages_enabled: described(Flag, 'Always false: there is no package registry.'),
  service_desk_enabled: described(Flag, 'Always false: there is no service desk.'),
  emails_disabled: described(Flag, 'As it was set: no e-mail is sent.'),
  mirror: described(Flag, 'Always false: pull mirroring is not offered.'),
  marked_for_deletion_at: described(Nullable(DateOnly()), 'Older name of `marked_for_deletion_on`.'),
  marked_for_deletion_on: described(
    Nullable(DateOnly()),
    'The day on which it was deleted, in UTC: it can only be read or restored, and is removed some days later. Null = it stays.',
  ),
  repository_storage: optional(Type.String(), 'Where the repository lies; only for administrators.'),
  external_authorization_classification_label: described(NullableText, 'Always null: nobody else is asked.'),
  _links: described(Links, 'Addresses of what belongs to it.'),
})
export type FullProject = Static<typeof FullProject>

/** A union would have to be told apart by its fields; whichever fits the caller is sent. */
export const AnyProject = Type.Union([FullProject, SimpleProject])

export const Accepted = Type.Object({
  message: described(Type.String(), '`202 Accepted`: the work is done soon.'),
})

export const FetchStatistics = Type.Object({
  fetches: described(
    Type.Object({
      total: described(Count, 'Fetches and clones of the last thirty days.'),
      days: described(
        Type.Array(
          Type.Object({
            count: described(Count, 'Fetches and clones of the day.'),
            date: described(DateOnly(), 'The day, in UTC.'),
          }),
        ),
        'The days with at least one, the latest first.',
      ),
    }),
    'Fetches and clones over HTTP, those of jobs included.',
  ),
})

export const Languages = Type.Record(Type.String(), Type.Number(), {
  description: 'Percent by the name of the language, the largest first.',
})
