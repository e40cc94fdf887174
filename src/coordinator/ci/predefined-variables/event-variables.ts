import type { ContextVariable } from '../../../ci-config/context-variable.js'
import { listOf, type VariableValues } from '../../../ci-config/variables/list-of.js'
import { slug } from '../../../ci-config/variables/slug.js'
import { isMergeRequestRef } from '../../../git/names.js'
import type { UserRow } from '../../database/tables/pipeline-rows.js'
import type { EventFacts } from './event-facts.js'
import { mergeRequestVariables } from './merge-request-variables.js'
import type { EventRelease } from './release-of-tag.js'

const DEFAULT_CONFIG_PATH = '.gitlab-ci.yml'
/** Bytes after which a commit message is cut. */
const MAX_COMMIT_MESSAGE = 100_000
/** Characters after which the description of a release is cut. */
const MAX_RELEASE_DESCRIPTION = 1024

/**
 * Predefined variables that are known before there are jobs, lowest precedence first: server and project,
 * then pipeline and commit (CI language, 8.7, phase C). The CI file is compiled with the same variables that
 * its jobs receive.
 */
export function eventVariables(facts: EventFacts): ContextVariable[] {
  return [
    ...serverVariables(facts),
    ...projectVariables(facts),
    ...listOf(pipelineValues(facts)),
    ...listOf(commitValues(facts)),
    ...(facts.mergeRequest ? mergeRequestVariables(facts.server.externalUrl, facts.mergeRequest) : []),
  ]
}

/** Variables available in every CI file. */
export function serverVariables(facts: Pick<EventFacts, 'server'>): ContextVariable[] {
  return listOf(serverValues(facts))
}

/** Variables available in every CI file of a project. */
export function projectVariables(facts: Pick<EventFacts, 'project' | 'server'>): ContextVariable[] {
  return listOf(projectValues(facts))
}

/** Variables that job rules see, but `include` and `workflow` do not (CI language, 8.7, phase R). */
export function eventVariablesForJobs(facts: EventFacts): ContextVariable[] {
  const { trigger, release } = facts
  const payload = trigger?.payload
  return [
    ...listOf({
      CI_CONFIG_REF_URI: configRefUri(facts),
      CI_PIPELINE_TRIGGERED: trigger && 'true',
      CI_TRIGGER_SHORT_TOKEN: trigger?.shortToken,
    }),
    ...(payload === undefined ? [] : [{ key: 'TRIGGER_PAYLOAD', value: payload, file: true }]),
    ...(release ? releaseVariables(release) : []),
  ]
}

/** For pipelines of a tag with a release. References in the user's texts are not expanded. */
export function releaseVariables({ name, description }: EventRelease): ContextVariable[] {
  const text = description?.slice(0, MAX_RELEASE_DESCRIPTION) ?? ''
  return [...listOf({ CI_RELEASE_NAME: name }), { key: 'CI_RELEASE_DESCRIPTION', value: text, raw: true }]
}

/** URI of the CI file, for services that authorize by it: `<host>/<project>//<path>@<ref>`. */
export function configRefUri(facts: Pick<EventFacts, 'server' | 'project' | 'ref' | 'refType'>): string {
  const { server, project, ref, refType } = facts
  const file = project.ci_config_path ?? DEFAULT_CONFIG_PATH
  return `${new URL(server.externalUrl).host}/${project.full_path}//${file}@${fullRefName({ ref, refType })}`
}

/** `refs/heads/x`, `refs/tags/x` or `refs/merge-requests/1/head`. */
export function fullRefName({ ref, refType }: Pick<EventFacts, 'ref' | 'refType'>): string {
  return isMergeRequestRef(ref) ? ref : `refs/${refType === 'tag' ? 'tags' : 'heads'}/${ref}`
}

type EventUser = Pick<UserRow, 'id' | 'email' | 'username' | 'name'>

/** The user who created the pipeline, or played or retried the job. */
export function userVariables({ id, email, username, name }: EventUser): ContextVariable[] {
  return listOf({
    GITLAB_USER_ID: id,
    GITLAB_USER_EMAIL: email,
    GITLAB_USER_LOGIN: username,
    GITLAB_USER_NAME: name,
  })
}

function serverValues({ server }: Pick<EventFacts, 'server'>): VariableValues {
  const { protocol, hostname, port } = new URL(server.externalUrl)
  const scheme = protocol.slice(0, -1)
  const [major, minor, patch] = server.version.split(/[.-]/)
  return {
    CI: 'true',
    GITLAB_CI: 'true',
    CI_SERVER_FQDN: port ? `${hostname}:${port}` : hostname,
    CI_SERVER_URL: server.externalUrl,
    CI_SERVER_HOST: hostname,
    CI_SERVER_PORT: port || (scheme === 'https' ? 443 : 80),
    CI_SERVER_PROTOCOL: scheme,
    CI_SERVER_NAME: 'Switchyard',
    CI_SERVER_VERSION: server.version,
    CI_SERVER_VERSION_MAJOR: major ?? '',
    CI_SERVER_VERSION_MINOR: minor ?? '',
    CI_SERVER_VERSION_PATCH: patch ?? '',
    CI_SERVER_REVISION: server.revision,
    GITLAB_FEATURES: '',
    CI_PAGES_DOMAIN: server.sites.pagesUrl && new URL(server.sites.pagesUrl).hostname,
    CI_API_V4_URL: `${server.externalUrl}/api/v4`,
    CI_API_GRAPHQL_URL: `${server.externalUrl}/api/graphql`,
    // The registry of the images that published templates use; they exist nowhere else.
    CI_TEMPLATE_REGISTRY_HOST: 'registry.gitlab.com',
  }
}

function projectValues({ project, server }: Pick<EventFacts, 'project' | 'server'>): VariableValues {
  const namespace = project.full_path.slice(0, -project.path.length - 1)
  return {
    CI_PROJECT_ID: project.id,
    CI_PROJECT_NAME: project.path,
    CI_PROJECT_TITLE: project.name,
    CI_PROJECT_DESCRIPTION: project.description ?? '',
    CI_PROJECT_PATH: project.full_path,
    CI_PROJECT_PATH_SLUG: slug(project.full_path),
    CI_PROJECT_NAMESPACE: namespace,
    CI_PROJECT_NAMESPACE_ID: project.namespace_id,
    CI_PROJECT_NAMESPACE_SLUG: slug(namespace),
    CI_PROJECT_ROOT_NAMESPACE: namespace.split('/')[0],
    CI_PROJECT_URL: `${server.externalUrl}/${project.full_path}`,
    CI_PROJECT_VISIBILITY: project.visibility,
    CI_PROJECT_REPOSITORY_LANGUAGES: '',
    CI_PROJECT_TOPICS: '',
    CI_PROJECT_CLASSIFICATION_LABEL: '',
    CI_DEFAULT_BRANCH: project.default_branch ?? undefined,
    CI_DEFAULT_BRANCH_SLUG: project.default_branch === null ? undefined : slug(project.default_branch),
    CI_CONFIG_PATH: project.ci_config_path ?? DEFAULT_CONFIG_PATH,
  }
}

function pipelineValues({
  source,
  scheduleDescription,
  upstream,
  isDeployFreeze,
}: EventFacts): VariableValues {
  return {
    CI_PIPELINE_SOURCE: source,
    CI_PIPELINE_SCHEDULE_DESCRIPTION: scheduleDescription,
    CI_DEPLOY_FREEZE: isDeployFreeze ? 'true' : undefined,
    CI_UPSTREAM_PIPELINE_ID: upstream?.pipelineId,
    CI_UPSTREAM_PROJECT_ID: upstream?.projectId,
    CI_UPSTREAM_JOB_ID: upstream?.jobId,
  }
}

function commitValues(facts: EventFacts): VariableValues {
  const { commit, sha, beforeSha, isProtected, creator } = facts
  const isTag = facts.refType === 'tag'
  const isBranch = !isTag && !isMergeRequestRef(facts.ref)
  const ref = facts.mergeRequest?.sourceBranch ?? facts.ref
  const message = cutToBytes(commit.message, MAX_COMMIT_MESSAGE)
  return {
    CI_COMMIT_SHA: sha,
    CI_COMMIT_SHORT_SHA: sha.slice(0, 8),
    CI_COMMIT_BEFORE_SHA: beforeSha,
    CI_COMMIT_REF_NAME: ref,
    CI_COMMIT_REF_SLUG: slug(ref),
    CI_COMMIT_BRANCH: isBranch ? ref : undefined,
    CI_COMMIT_TAG: isTag ? ref : undefined,
    CI_COMMIT_TAG_MESSAGE: isTag ? facts.tagMessage : undefined,
    CI_COMMIT_REF_PROTECTED: String(isProtected),
    CI_COMMIT_MESSAGE: message,
    CI_COMMIT_MESSAGE_IS_TRUNCATED: String(message.length < commit.message.length),
    CI_COMMIT_TITLE: commit.title,
    CI_COMMIT_DESCRIPTION: message.split('\n').slice(1).join('\n').replace(/^\n+/, ''),
    CI_COMMIT_TIMESTAMP: commit.committedDate,
    CI_COMMIT_AUTHOR: `${commit.authorName} <${commit.authorEmail}>`,
    CI_COMMIT_USER_LOGIN: creator.username,
    CI_OPEN_MERGE_REQUESTS: facts.openMergeRequests?.length ? facts.openMergeRequests.join(',') : undefined,
  }
}

function cutToBytes(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= maxBytes) return text
  return bytes
    .subarray(0, maxBytes)
    .toString()
    .replace(/\uFFFD$/, '')
}
