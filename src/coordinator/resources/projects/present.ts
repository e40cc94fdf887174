import { overrideRoleOf } from '../../engine/create/may-set-variables.js'
import { effectiveLevel } from '../../http/access.js'
import type { Project, User } from '../../http/operation.js'
import { isoTime } from '../../http/present-time.js'
import type { SecretBox } from '../../secret-box.js'
import type { ProjectFacts } from './present-facts.js'
import type { FullProject, SimpleProject } from './schema.js'

const MAINTAINER = 40
/** "Watch nothing in particular": there are no notifications to set yet. */
const GLOBAL_NOTIFICATION_LEVEL = 3

export function presentSimpleProject(
  project: Project,
  { namespace }: ProjectFacts,
  baseUrl: string,
): SimpleProject {
  const webUrl = `${baseUrl}/${project.full_path}`
  return {
    id: project.id,
    description: project.description,
    name: project.name,
    name_with_namespace: `${namespace.name} / ${project.name}`,
    path: project.path,
    path_with_namespace: project.full_path,
    created_at: isoTime(project.created_at),
    default_branch: project.default_branch,
    tag_list: [],
    topics: [],
    ssh_url_to_repo: null, // git is served over HTTP only
    http_url_to_repo: `${webUrl}.git`,
    web_url: webUrl,
    readme_url: null,
    avatar_url: null,
    forks_count: 0,
    star_count: 0,
    last_activity_at: isoTime(project.last_activity_at),
    namespace: {
      id: namespace.id,
      name: namespace.name,
      path: namespace.path,
      kind: namespace.kind,
      full_path: namespace.full_path,
      parent_id: namespace.parent_id,
      avatar_url: null,
      web_url: `${baseUrl}/${namespace.full_path}`,
    },
  }
}

export interface FullPresentation {
  project: Project
  facts: ProjectFacts
  viewer: User | undefined
  baseUrl: string
  secrets: SecretBox
}

/** Every key of the record; what only maintainers may know is left out for others (API gaps, C1). */
export function presentFullProject({
  project,
  facts,
  viewer,
  baseUrl,
  secrets,
}: FullPresentation): FullProject {
  const { namespace, owner, membership } = facts
  const ownsNamespace = viewer !== undefined && namespace.owner_id === viewer.id
  const level = effectiveLevel(viewer, project, { membership, ownsNamespace })
  return {
    ...presentSimpleProject(project, facts, baseUrl),
    visibility: project.visibility,
    archived: project.archived,
    // The first push of a branch names the default branch.
    empty_repo: project.default_branch === null,
    creator_id: project.creator_id,
    ...(owner
      ? {
          owner: {
            id: owner.id,
            name: owner.name,
            username: owner.username,
            created_at: isoTime(owner.created_at),
          },
        }
      : {}),
    ...(viewer ? { permissions: { project_access: standing(membership), group_access: null } } : {}),
    ...missingFeatures,
    can_create_merge_request_in: false,
    jobs_enabled: true,
    repository_access_level: 'enabled',
    builds_access_level: 'enabled',
    resolve_outdated_diff_discussions: false,
    import_status: 'none',
    license_url: null,
    license: null,
    shared_runners_enabled: project.shared_runners_enabled,
    group_runners_enabled: project.group_runners_enabled,
    ci_default_git_depth: project.ci_default_git_depth,
    ci_config_path: project.ci_config_path,
    build_timeout: project.build_timeout,
    auto_cancel_pending_pipelines: project.auto_cancel_pending_pipelines ? 'enabled' : 'disabled',
    ci_forward_deployment_enabled: project.ci_forward_deployment_enabled,
    ci_forward_deployment_rollback_allowed: project.ci_forward_deployment_rollback_allowed,
    restrict_user_defined_variables: overrideRoleOf(project) !== 'developer',
    ci_pipeline_variables_minimum_override_role: overrideRoleOf(project),
    public_jobs: project.public_jobs,
    keep_latest_artifact: project.keep_latest_artifact,
    shared_with_groups: [],
    only_allow_merge_if_pipeline_succeeds: false,
    only_allow_merge_if_all_discussions_are_resolved: false,
    request_access_enabled: false,
    merge_method: 'merge',
    lfs_enabled: false,
    approvals_before_merge: 0,
    mirror: false,
    ...(level >= MAINTAINER ? forMaintainers(project, secrets) : {}),
    _links: linksOf(project, baseUrl),
  }
}

/** Parts of the record whose feature does not exist (yet). */
const missingFeatures = {
  issues_enabled: false,
  open_issues_count: 0,
  merge_requests_enabled: false,
  wiki_enabled: false,
  snippets_enabled: false,
  container_registry_enabled: false,
  issues_access_level: 'disabled',
  merge_requests_access_level: 'disabled',
  wiki_access_level: 'disabled',
  snippets_access_level: 'disabled',
} as const

function forMaintainers(project: Project, secrets: SecretBox) {
  return {
    runners_token: secrets.decrypt(project.runners_token_encrypted),
    import_error: null,
    build_git_strategy: 'fetch',
  }
}

function standing(level: number): { access_level: number; notification_level: number } | null {
  return level > 0 ? { access_level: level, notification_level: GLOBAL_NOTIFICATION_LEVEL } : null
}

function linksOf(project: Project, baseUrl: string): FullProject['_links'] {
  const self = `${baseUrl}/api/v4/projects/${project.id}`
  return {
    self,
    issues: null,
    merge_requests: null,
    repo_branches: `${self}/repository/branches`,
    labels: null,
    events: null,
    members: `${self}/members`,
  }
}
