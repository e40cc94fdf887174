import { type Static, Type } from 'typebox'

import { OVERRIDE_ROLES } from '../../engine/create/may-set-variables.js'
import {
  DateTime,
  Nullable,
  NullableText,
  OneOf,
  SortDirection,
  Visibility,
} from '../../http/parameters/types.js'

const Texts = Type.Array(Type.String())

const Namespace = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  path: Type.String(),
  kind: OneOf('user', 'group'),
  full_path: Type.String(),
  parent_id: Nullable(Type.Integer()),
  avatar_url: NullableText,
  web_url: Type.String(),
})

const simpleFields = {
  id: Type.Integer(),
  description: NullableText,
  name: Type.String(),
  name_with_namespace: Type.String(),
  path: Type.String(),
  path_with_namespace: Type.String(),
  created_at: DateTime(),
  default_branch: NullableText,
  tag_list: Texts,
  topics: Texts,
  ssh_url_to_repo: NullableText,
  http_url_to_repo: Type.String(),
  web_url: Type.String(),
  readme_url: NullableText,
  avatar_url: NullableText,
  forks_count: Type.Integer(),
  star_count: Type.Integer(),
  last_activity_at: DateTime(),
  namespace: Namespace,
}

export const SimpleProject = Type.Object(simpleFields)
export type SimpleProject = Static<typeof SimpleProject>

const Standing = Nullable(Type.Object({ access_level: Type.Integer(), notification_level: Type.Integer() }))
const FeatureAccess = OneOf('disabled', 'private', 'enabled')

export const FullProject = Type.Object({
  ...simpleFields,
  visibility: Visibility,
  archived: Type.Boolean(),
  empty_repo: Type.Boolean(),
  creator_id: Type.Integer(),
  owner: Type.Optional(
    Type.Object({ id: Type.Integer(), name: Type.String(), username: Type.String(), created_at: DateTime() }),
  ),
  permissions: Type.Optional(Type.Object({ project_access: Standing, group_access: Standing })),
  issues_enabled: Type.Boolean(),
  open_issues_count: Type.Integer(),
  merge_requests_enabled: Type.Boolean(),
  jobs_enabled: Type.Boolean(),
  wiki_enabled: Type.Boolean(),
  snippets_enabled: Type.Boolean(),
  container_registry_enabled: Type.Boolean(),
  can_create_merge_request_in: Type.Boolean(),
  repository_access_level: FeatureAccess,
  builds_access_level: FeatureAccess,
  issues_access_level: FeatureAccess,
  merge_requests_access_level: FeatureAccess,
  wiki_access_level: FeatureAccess,
  snippets_access_level: FeatureAccess,
  resolve_outdated_diff_discussions: Type.Boolean(),
  import_status: Type.String(),
  import_error: Type.Optional(NullableText),
  license_url: NullableText,
  license: Nullable(Type.Unknown()),
  shared_runners_enabled: Type.Boolean(),
  group_runners_enabled: Type.Boolean(),
  runners_token: Type.Optional(Type.String()),
  ci_default_git_depth: Type.Integer(),
  ci_config_path: NullableText,
  build_timeout: Type.Integer(),
  build_git_strategy: Type.Optional(Type.String()),
  auto_cancel_pending_pipelines: Type.String(),
  restrict_user_defined_variables: Type.Boolean(),
  ci_forward_deployment_enabled: Type.Boolean(),
  ci_forward_deployment_rollback_allowed: Type.Boolean(),
  ci_pipeline_variables_minimum_override_role: Type.String(),
  public_jobs: Type.Boolean(),
  keep_latest_artifact: Type.Boolean(),
  shared_with_groups: Type.Array(Type.Unknown()),
  only_allow_merge_if_pipeline_succeeds: Type.Boolean(),
  only_allow_merge_if_all_discussions_are_resolved: Type.Boolean(),
  request_access_enabled: Type.Boolean(),
  merge_method: Type.String(),
  lfs_enabled: Type.Boolean(),
  approvals_before_merge: Type.Integer(),
  mirror: Type.Boolean(),
  _links: Type.Object({
    self: Type.String(),
    issues: NullableText,
    merge_requests: NullableText,
    repo_branches: Type.String(),
    labels: NullableText,
    events: NullableText,
    members: Type.String(),
  }),
})
export type FullProject = Static<typeof FullProject>

/** A union would have to be told apart by its fields; whichever fits the caller is sent. */
export const AnyProject = Type.Union([FullProject, SimpleProject])

const editFields = {
  description: Type.Optional(NullableText),
  visibility: Type.Optional(Visibility),
  default_branch: Type.Optional(Type.String({ minLength: 1 })),
  ci_config_path: Type.Optional(Nullable(Type.String({ maxLength: 255 }))),
  /** Commits; 0 fetches everything. */
  ci_default_git_depth: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000 })),
  /** Seconds, ten minutes to a month. */
  build_timeout: Type.Optional(Type.Integer({ minimum: 600, maximum: 2_678_400 })),
  shared_runners_enabled: Type.Optional(Type.Boolean()),
  group_runners_enabled: Type.Optional(Type.Boolean()),
  auto_cancel_pending_pipelines: Type.Optional(
    Type.Union([Type.Literal('enabled'), Type.Literal('disabled')]),
  ),
  /** Whether only this role, and those above it, may give variables to a pipeline or a job. */
  restrict_user_defined_variables: Type.Optional(Type.Boolean()),
  ci_forward_deployment_enabled: Type.Optional(Type.Boolean()),
  ci_forward_deployment_rollback_allowed: Type.Optional(Type.Boolean()),
  ci_pipeline_variables_minimum_override_role: Type.Optional(OneOf(...OVERRIDE_ROLES)),
  public_jobs: Type.Optional(Type.Boolean()),
  /** Whether the newest successful pipeline of each ref keeps its artifacts. */
  keep_latest_artifact: Type.Optional(Type.Boolean()),
  /** Older name of `public_jobs`. */
  public_builds: Type.Optional(Type.Boolean()),
}

const Name = Type.String({ minLength: 1, maxLength: 255 })

export const CreateProject = Type.Object({
  name: Type.Optional(Name),
  path: Type.Optional(Name),
  namespace_id: Type.Optional(Nullable(Type.Integer())),
  initialize_with_readme: Type.Optional(Type.Boolean()),
  ...editFields,
})
export type CreateProject = Static<typeof CreateProject>

export const CreateProjectForUser = Type.Object({ ...CreateProject.properties, user_id: Type.Integer() })

export const EditProject = Type.Object({
  name: Type.Optional(Name),
  path: Type.Optional(Name),
  ...editFields,
})
export type EditProject = Static<typeof EditProject>

export const ListProjects = Type.Object({
  archived: Type.Optional(Type.Boolean()),
  visibility: Type.Optional(Visibility),
  order_by: Type.Optional(OneOf('id', 'name', 'path', 'created_at', 'updated_at', 'last_activity_at')),
  sort: Type.Optional(SortDirection),
  search: Type.Optional(Type.String()),
  simple: Type.Optional(Type.Boolean()),
  owned: Type.Optional(Type.Boolean()),
  membership: Type.Optional(Type.Boolean()),
  starred: Type.Optional(Type.Boolean()),
  min_access_level: Type.Optional(Type.Integer()),
})
export type ListProjects = Static<typeof ListProjects>

export const ListProjectsOfUser = Type.Object({ ...ListProjects.properties, user_id: Type.String() })

export const Accepted = Type.Object({ message: Type.String() })
