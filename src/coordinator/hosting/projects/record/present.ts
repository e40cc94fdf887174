import { mergeRecords } from '../../../../lib/merge-records.js'
import { MAINTAINER, REPORTER } from '../../../access/access-levels.js'
import { effectiveLevel, membershipLevel } from '../../../access/access.js'
import type { Project, User } from '../../../access/caller.js'
import { overrideRoleOf } from '../../../access/may-set-variables.js'
import { highest } from '../../../access/membership-levels.js'
import { featureLevels, featureSwitches } from '../../../access/project-features.js'
import { whyReadOnly } from '../../../access/read-only.js'
import type { SecretBox } from '../../../crypto/secret-box.js'
import { namespaceAvatarUrl, projectAvatarUrl } from '../../../http/presenters/avatar-url.js'
import { isoDateOrNull, isoTime } from '../../../http/presenters/present-time.js'
import { sshUrl } from '../../../http/presenters/ssh-url.js'
import { licenseOf } from '../../licenses.js'
import type { ProjectFacts, SimpleFacts } from './present-facts.js'
import type { FullProject, SimpleProject } from './schema.js'

/** The level "global"; notification settings do not exist yet. */
const GLOBAL_NOTIFICATION_LEVEL = 3

export function presentSimpleProject(
  project: Project,
  { namespace, owner, namespaceNames, topics, forks, measure }: SimpleFacts,
  baseUrl: string,
): SimpleProject {
  const webUrl = `${baseUrl}/${project.full_path}`
  return {
    id: project.id,
    description: project.description,
    name: project.name,
    name_with_namespace: [...namespaceNames, project.name].join(' / '),
    path: project.path,
    path_with_namespace: project.full_path,
    created_at: isoTime(project.created_at),
    default_branch: project.default_branch,
    tag_list: topics,
    topics,
    ssh_url_to_repo: sshUrl(project.full_path, baseUrl),
    http_url_to_repo: `${webUrl}.git`,
    web_url: webUrl,
    readme_url: fileUrl(project, baseUrl, measure.readme_path),
    avatar_url: projectAvatarUrl(project, baseUrl),
    forks_count: forks,
    star_count: project.star_count,
    last_activity_at: isoTime(project.last_activity_at),
    namespace: {
      id: namespace.id,
      name: namespace.name,
      path: namespace.path,
      kind: namespace.kind,
      full_path: namespace.full_path,
      parent_id: namespace.parent_id,
      avatar_url: namespaceAvatarUrl(namespace, owner, baseUrl),
      web_url: `${baseUrl}/${namespace.kind === 'group' ? 'groups/' : ''}${namespace.full_path}`,
    },
  }
}

export interface FullPresentation {
  project: Project
  facts: ProjectFacts
  viewer: User | undefined
  baseUrl: string
  secrets: SecretBox
  /** Whether to include the license. */
  license?: boolean | undefined
}

/** All fields of the record; those that need more access are left out for other viewers (API, C1). */
export function presentFullProject(presentation: FullPresentation): FullProject {
  const { project, facts, viewer, baseUrl } = presentation
  return mergeRecords(
    presentSimpleProject(project, facts, baseUrl),
    stateOf(project),
    { open_issues_count: openIssues(presentation) },
    featureLevels(project),
    featureSwitches(project),
    peopleOf(presentation),
    pipelineSettings(project),
    mergeSettings(project, viewer),
    importOf(project),
    forkSourceOf(facts, baseUrl),
    licenseFacts(presentation),
    wantedFacts(presentation),
    NOT_OFFERED,
    levelOf(presentation) >= MAINTAINER ? forMaintainers(presentation) : {},
    viewer?.is_admin ? { repository_storage: 'default' } : {},
    linksOf(project, baseUrl),
  )
}

function stateOf(project: Project) {
  return {
    visibility: project.visibility,
    archived: project.archived,
    marked_for_deletion_at: isoDateOrNull(project.marked_for_deletion_at),
    marked_for_deletion_on: isoDateOrNull(project.marked_for_deletion_at),
    // The first push of a branch sets the default branch.
    empty_repo: project.default_branch === null,
    lfs_enabled: project.lfs_enabled,
    emails_disabled: project.emails_disabled,
  }
}

function wantedFacts({ facts: { statistics, attributes, levels }, viewer }: FullPresentation) {
  const maySeeStatistics = viewer?.is_admin || highest(levels) >= REPORTER
  return {
    ...(statistics && maySeeStatistics ? { statistics } : {}),
    ...(attributes ? { custom_attributes: attributes } : {}),
  }
}

function levelOf({ project, facts: { levels }, viewer }: FullPresentation): number {
  return effectiveLevel(viewer, project, { membership: highest(levels), ownsNamespace: levels.personal > 0 })
}

/** Confidential issues are counted for members from the reporter role on only. */
function openIssues({ project, facts: { levels }, viewer }: FullPresentation): number {
  const { open_issue_count: all, open_confidential_issue_count: confidential } = project
  const ownsNamespace = levels.personal > 0
  const isReporter = membershipLevel(viewer, { membership: highest(levels), ownsNamespace }) >= REPORTER
  return isReporter ? all : all - confidential
}

/** Fields of features that do not exist here. */
const NOT_OFFERED = {
  packages_enabled: false,
  service_desk_enabled: false,
  external_authorization_classification_label: null,
}

function peopleOf({ project, facts: { owner, levels, shares }, viewer }: FullPresentation) {
  return {
    creator_id: project.creator_id,
    ...(owner ? { owner: presentOwner(owner) } : {}),
    ...(viewer
      ? {
          permissions: {
            project_access: accessRecord(levels.direct),
            group_access: accessRecord(Math.max(levels.inherited, levels.shared)),
          },
        }
      : {}),
    shared_with_groups: shares,
    request_access_enabled: project.request_access_enabled,
  }
}

function presentOwner({
  id,
  name,
  username,
  created_at,
}: NonNullable<ProjectFacts['owner']>): NonNullable<FullProject['owner']> {
  return { id, name, username, created_at: isoTime(created_at) }
}

function accessRecord(level: number): { access_level: number; notification_level: number } | null {
  return level > 0 ? { access_level: level, notification_level: GLOBAL_NOTIFICATION_LEVEL } : null
}

function pipelineSettings(project: Project) {
  return {
    shared_runners_enabled: project.shared_runners_enabled,
    group_runners_enabled: project.group_runners_enabled,
    ci_default_git_depth: project.ci_default_git_depth,
    ci_config_path: project.ci_config_path,
    ci_job_token_scope_enabled: false,
    build_timeout: project.build_timeout,
    build_coverage_regex: project.build_coverage_regex,
    auto_cancel_pending_pipelines: project.auto_cancel_pending_pipelines ? 'enabled' : 'disabled',
    auto_devops_enabled: project.auto_devops_enabled,
    auto_devops_deploy_strategy: project.auto_devops_deploy_strategy,
    restrict_user_defined_variables: overrideRoleOf(project) !== 'developer',
    ci_pipeline_variables_minimum_override_role: overrideRoleOf(project),
    hold_failed_jobs_minimum_role: project.hold_failed_jobs_minimum_role,
    ci_forward_deployment_enabled: project.ci_forward_deployment_enabled,
    ci_forward_deployment_rollback_allowed: project.ci_forward_deployment_rollback_allowed,
    allow_pipeline_trigger_approve_deployment: project.allow_pipeline_trigger_approve_deployment,
    secure_files_protected_refs_only: project.secure_files_protected_refs_only,
    public_jobs: project.public_jobs,
    keep_latest_artifact: project.keep_latest_artifact,
    max_artifacts_size: project.max_artifacts_size,
    ci_delete_pipelines_in_seconds: project.ci_delete_pipelines_in_seconds,
  }
}

function mergeSettings(project: Project, viewer: User | undefined) {
  return {
    mirror: project.mirror,
    merge_method: project.merge_method,
    squash_option: project.squash_option,
    only_allow_merge_if_pipeline_succeeds: project.only_allow_merge_if_pipeline_succeeds,
    allow_merge_on_skipped_pipeline: project.allow_merge_on_skipped_pipeline,
    merge_trains_enabled: project.merge_trains_enabled,
    merge_trains_limit: project.merge_trains_limit,
    only_allow_merge_if_all_discussions_are_resolved:
      project.only_allow_merge_if_all_discussions_are_resolved,
    only_allow_merge_if_all_status_checks_passed: project.only_allow_merge_if_all_status_checks_passed,
    resolve_outdated_diff_discussions: project.resolve_outdated_diff_discussions,
    remove_source_branch_after_merge: project.remove_source_branch_after_merge,
    printing_merge_request_link_enabled: project.printing_merge_request_link_enabled,
    autoclose_referenced_issues: project.autoclose_referenced_issues,
    approvals_before_merge: project.approvals_before_merge,
    merge_commit_template: project.merge_commit_template,
    squash_commit_template: project.squash_commit_template,
    suggestion_commit_message: project.suggestion_commit_message,
    can_create_merge_request_in:
      viewer !== undefined &&
      whyReadOnly(project) === undefined &&
      project.merge_requests_access_level !== 'disabled',
  }
}

function importOf({ import_status, import_type }: Project) {
  return { import_status, import_type, import_url: null }
}

function forkSourceOf({ forkedFrom }: ProjectFacts, baseUrl: string) {
  if (!forkedFrom) return {}
  return { forked_from_project: presentSimpleProject(forkedFrom.project, forkedFrom.facts, baseUrl) }
}

function licenseFacts({ project, facts: { measure }, baseUrl, license }: FullPresentation) {
  if (!license) return { license_url: null, license: null }
  return {
    license_url: fileUrl(project, baseUrl, measure.license_path),
    license: measure.license_path ? licenseOf(measure.license_key) : null,
  }
}

function forMaintainers({ project, secrets }: FullPresentation) {
  return {
    runners_token: secrets.decrypt(project.runners_token_encrypted),
    import_error: project.import_error,
    build_git_strategy: project.build_git_strategy,
  }
}

/** URL of a file on the default branch. */
function fileUrl(project: Project, baseUrl: string, path: string | null | undefined): string | null {
  if (!path || project.default_branch === null) return null
  const parts = [...project.default_branch.split('/'), ...path.split('/')].map(encodeURIComponent)
  return `${baseUrl}/${project.full_path}/-/blob/${parts.join('/')}`
}

function linksOf(project: Project, baseUrl: string): Pick<FullProject, '_links'> {
  const self = `${baseUrl}/api/v4/projects/${project.id}`
  const _links = {
    self,
    ...(project.issues_access_level === 'disabled' ? {} : { issues: `${self}/issues` }),
    ...(project.merge_requests_access_level === 'disabled'
      ? {}
      : { merge_requests: `${self}/merge_requests` }),
    repo_branches: `${self}/repository/branches`,
    labels: `${self}/labels`,
    events: `${self}/events`,
    members: `${self}/members`,
  }
  return { _links }
}
