import type { JobVariable } from '../../../../protocol/job-payload.js'
import { cloneUrl } from './git-info.js'
import type { PayloadFacts } from './payload-facts.js'
import { slug } from './slug.js'

/** Values by name; what is undefined is left out. */
type Values = Record<string, string | number | undefined>

/** Bytes after which a commit message is cut. */
const MAX_COMMIT_MESSAGE = 100_000

/**
 * Predefined variables, lowest precedence last within the reading order of the payload: the job's identity and tokens,
 * the job, the project and this server, the pipeline and its commit, the runner (runner protocol, 10.1; CI language, 8.7).
 */
export function predefinedVariables(facts: PayloadFacts): JobVariable[] {
  return [
    ...persistedVariables(facts),
    ...publicVariables(jobValues(facts)),
    ...publicVariables(serverValues(facts)),
    ...publicVariables(projectValues(facts)),
    ...publicVariables(pipelineValues(facts)),
    ...publicVariables(commitValues(facts)),
    ...publicVariables(runnerValues(facts)),
  ]
}

/** Who caused the pipeline, or played or retried the job. */
export function userVariables({ user }: PayloadFacts): JobVariable[] {
  return publicVariables({
    GITLAB_USER_ID: user.id,
    GITLAB_USER_EMAIL: user.email,
    GITLAB_USER_LOGIN: user.username,
    GITLAB_USER_NAME: user.name,
  })
}

function persistedVariables(facts: PayloadFacts): JobVariable[] {
  const { job, pipeline, token } = facts
  const url = projectUrl(facts)
  return [
    ...publicVariables({
      CI_PIPELINE_ID: pipeline.id,
      CI_PIPELINE_URL: `${url}/-/pipelines/${pipeline.id}`,
      CI_JOB_ID: job.id,
      CI_JOB_URL: `${url}/-/jobs/${job.id}`,
    }),
    { key: 'CI_JOB_TOKEN', value: token, public: false, masked: true },
    ...publicVariables({
      CI_JOB_STARTED_AT: isoSeconds(job.started_at ?? job.created_at),
      CI_JOB_STARTED_AT_SLUG: slug(isoSeconds(job.started_at ?? job.created_at)),
    }),
    { key: 'CI_REPOSITORY_URL', value: cloneUrl(facts), public: false, masked: false },
  ]
}

function jobValues({ job }: PayloadFacts): Values {
  return {
    CI_JOB_NAME: job.name,
    CI_JOB_NAME_SLUG: slug(job.name),
    CI_JOB_GROUP_NAME: groupName(job.name),
    CI_JOB_STAGE: job.stage,
    CI_JOB_MANUAL: job.when === 'manual' || job.when === 'delayed' ? 'true' : undefined,
    CI_JOB_TIMEOUT: job.timeout ?? undefined,
    CI_NODE_TOTAL: 1,
  }
}

function serverValues({ server }: PayloadFacts): Values {
  const { protocol, hostname, port } = new URL(server.externalUrl)
  const scheme = protocol.slice(0, -1)
  const [major, minor, patch] = server.version.split(/[.-]/)
  return {
    CI: 'true',
    GITLAB_CI: 'true',
    CI_SERVER: 'yes',
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
    CI_SERVER_REVISION: server.version,
    GITLAB_FEATURES: '',
    CI_API_V4_URL: `${server.externalUrl}/api/v4`,
    CI_API_GRAPHQL_URL: `${server.externalUrl}/api/graphql`,
  }
}

function projectValues(facts: PayloadFacts): Values {
  const { project, server, pipeline } = facts
  const namespace = project.full_path.slice(0, -project.path.length - 1)
  const configPath = project.ci_config_path ?? '.gitlab-ci.yml'
  const gitRef = `refs/${pipeline.tag ? 'tags' : 'heads'}/${pipeline.ref}`
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
    CI_PROJECT_URL: projectUrl(facts),
    CI_PROJECT_VISIBILITY: project.visibility,
    CI_PROJECT_REPOSITORY_LANGUAGES: '',
    CI_PROJECT_TOPICS: '',
    CI_PROJECT_CLASSIFICATION_LABEL: '',
    CI_DEFAULT_BRANCH: project.default_branch ?? '',
    CI_DEFAULT_BRANCH_SLUG: slug(project.default_branch ?? ''),
    CI_CONFIG_PATH: configPath,
    CI_CONFIG_REF_URI: `${new URL(server.externalUrl).host}/${project.full_path}//${configPath}@${gitRef}`,
  }
}

function pipelineValues({ pipeline }: PayloadFacts): Values {
  return {
    CI_PIPELINE_IID: pipeline.iid,
    CI_PIPELINE_SOURCE: pipeline.source,
    CI_PIPELINE_CREATED_AT: isoSeconds(pipeline.created_at),
  }
}

function commitValues({ pipeline, commit, user }: PayloadFacts): Values {
  const message = cutToBytes(commit.message, MAX_COMMIT_MESSAGE)
  return {
    CI_COMMIT_SHA: pipeline.sha,
    CI_COMMIT_SHORT_SHA: pipeline.sha.slice(0, 8),
    CI_COMMIT_BEFORE_SHA: pipeline.before_sha,
    CI_COMMIT_REF_NAME: pipeline.ref,
    CI_COMMIT_REF_SLUG: slug(pipeline.ref),
    CI_COMMIT_BRANCH: pipeline.tag ? undefined : pipeline.ref,
    CI_COMMIT_TAG: pipeline.tag ? pipeline.ref : undefined,
    CI_COMMIT_REF_PROTECTED: String(pipeline.protected),
    CI_COMMIT_MESSAGE: message,
    CI_COMMIT_MESSAGE_IS_TRUNCATED: String(message.length < commit.message.length),
    CI_COMMIT_TITLE: commit.title,
    CI_COMMIT_DESCRIPTION: message.split('\n').slice(1).join('\n').replace(/^\n+/, ''),
    CI_COMMIT_TIMESTAMP: commit.committedDate,
    CI_COMMIT_AUTHOR: `${commit.authorName} <${commit.authorEmail}>`,
    CI_COMMIT_USER_LOGIN: user.username,
  }
}

function runnerValues({ runner }: PayloadFacts): Values {
  return {
    CI_RUNNER_ID: runner.id,
    CI_RUNNER_DESCRIPTION: runner.description ?? '',
    CI_RUNNER_TAGS: JSON.stringify(runner.tag_list),
  }
}

function publicVariables(values: Values): JobVariable[] {
  return Object.entries(values).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: String(value), public: true, masked: false }],
  )
}

function projectUrl({ server, project }: PayloadFacts): string {
  return `${server.externalUrl}/${project.full_path}`
}

/** The name without the counter of a job that runs several times: `test 1/3` is of the group `test`. */
function groupName(name: string): string {
  return name.replace(/( \[.*\]| \d+[\s:/\\]+\d+)+$/s, '').trim()
}

function isoSeconds(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d+Z$/, 'Z')
}

function cutToBytes(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= maxBytes) return text
  return bytes
    .subarray(0, maxBytes)
    .toString()
    .replace(/\uFFFD$/, '')
}
