import { Compile } from 'typebox/compile'
import { expect, test } from 'vitest'

import { pipelineContext } from '../../../../../src/coordinator/ci/engine/create/pipeline-context.js'
import { buildPayload } from '../../../../../src/coordinator/ci/jobs/payload/build-payload.js'
import type { PayloadFacts } from '../../../../../src/coordinator/ci/jobs/payload/payload-facts.js'
import { eventOf } from '../../../../../src/coordinator/ci/predefined-variables/stored-event.js'
import type { Commit } from '../../../../../src/git/parse-commit.js'
import { JobPayload } from '../../../../../src/protocol/job-payload.js'
import { openSqlite } from '../../../../support/databases.js'
import { testSecrets } from '../../../support/test-app.js'
import { facts, SHA, TOKEN } from './payload-facts.js'

interface Change extends Partial<Omit<PayloadFacts, 'server' | 'job' | 'pipeline' | 'event'>> {
  server?: Partial<PayloadFacts['server']>
  job?: Partial<PayloadFacts['job']>
  pipeline?: Partial<PayloadFacts['pipeline']>
  commit?: Partial<Commit>
  tagMessage?: string
}

function payloadOf(change: Change = {}): JobPayload {
  const { commit, tagMessage, ...rest } = change
  const server = { ...facts.server, ...change.server }
  const pipeline = { ...facts.pipeline, ...change.pipeline }
  const { project } = { ...facts, ...rest }
  return buildPayload({
    ...facts,
    ...rest,
    server,
    job: { ...facts.job, ...change.job },
    pipeline,
    event: {
      ...facts.event,
      ...eventOf(pipeline),
      server,
      project,
      commit: { ...facts.event.commit, ...commit },
      ...(tagMessage !== undefined && { tagMessage }),
    },
  })
}

/** As the runner's shell would see them: of several entries with one name the last one counts. */
function environmentOf({ variables }: JobPayload): Record<string, string> {
  return Object.fromEntries(variables.map(({ key, value }) => [key, value]))
}

test('a small job has every part, of exactly the types of the wire', () => {
  const payload = payloadOf()
  expect(Compile(JobPayload).Errors(JSON.parse(JSON.stringify(payload)))).toEqual([])
  const { variables, ...rest } = payload
  expect(variables.length).toBeGreaterThan(60)
  expect(rest).toEqual({
    id: 124,
    token: TOKEN,
    allow_git_fetch: true,
    job_info: {
      id: 124,
      name: 'Build all 1/2',
      stage: 'build',
      project_id: 7,
      project_name: 'My App',
      time_in_queue_seconds: 2.5,
      project_jobs_running_on_instance_runners_count: '3',
      project_full_path: 'Top/sub/app',
      namespace_id: 5,
      root_namespace_id: 2,
      user_id: 9,
      pipeline_id: 55,
    },
    git_info: {
      repo_url: `https://gitlab-ci-token:${TOKEN}@ci.example:8929/Top/sub/app.git`,
      repo_object_format: 'sha1',
      ref: 'feature/x',
      sha: SHA,
      before_sha: '0'.repeat(40),
      ref_type: 'branch',
      refspecs: [
        '+refs/pipelines/55:refs/pipelines/55',
        '+refs/heads/feature/x:refs/remotes/origin/feature/x',
      ],
      depth: 20,
      protected: true,
    },
    runner_info: { timeout: 1800, runner_session_url: null },
    inputs: [],
    steps: [
      {
        name: 'script',
        script: ['make deps', 'make'],
        timeout: 1800,
        when: 'on_success',
        allow_failure: false,
      },
    ],
    hooks: [],
    image: null,
    services: [],
    artifacts: [],
    cache: [],
    credentials: [],
    dependencies: [],
    features: {
      trace_sections: true,
      job_signals: true,
      job_holds: true,
      failure_reasons: expect.arrayContaining(['script_failure', 'runner_interrupted']) as string[],
      token_mask_prefixes: expect.arrayContaining(['glpat-']) as string[],
      coordinator_cache: true,
      resumable_uploads: true,
      script_steps: true,
      host_reports: true,
      lease_seconds: 300,
    },
  })
})

test('project settings apply to its jobs', () => {
  const project = { ...facts.project, build_git_strategy: 'clone' as const }
  const { allow_git_fetch, features } = buildPayload({ ...facts, artifactsMaxBytes: 2_097_152, project })
  expect([allow_git_fetch, features?.max_artifacts_size]).toEqual([false, 2_097_152])
})

test('every predefined variable has its value', () => {
  expect(environmentOf(payloadOf())).toEqual({
    CI_PIPELINE_ID: '55',
    CI_PIPELINE_URL: 'https://ci.example:8929/Top/sub/app/-/pipelines/55',
    CI_JOB_ID: '124',
    CI_JOB_URL: 'https://ci.example:8929/Top/sub/app/-/jobs/124',
    CI_JOB_TOKEN: TOKEN,
    CI_JOB_STARTED_AT: '2026-03-04T05:06:07Z',
    CI_JOB_STARTED_AT_SLUG: '2026-03-04t05-06-07z',
    CI_REPOSITORY_URL: `https://gitlab-ci-token:${TOKEN}@ci.example:8929/Top/sub/app.git`,
    CI_JOB_NAME: 'Build all 1/2',
    CI_JOB_NAME_SLUG: 'build-all-1-2',
    CI_JOB_GROUP_NAME: 'Build all',
    CI_JOB_STAGE: 'build',
    CI_JOB_TIMEOUT: '1800',
    CI_NODE_TOTAL: '1',
    CI: 'true',
    GITLAB_CI: 'true',
    CI_SERVER: 'yes',
    CI_SERVER_FQDN: 'ci.example:8929',
    CI_SERVER_URL: 'https://ci.example:8929',
    CI_SERVER_HOST: 'ci.example',
    CI_SERVER_PORT: '8929',
    CI_SERVER_PROTOCOL: 'https',
    CI_SERVER_NAME: 'Switchyard',
    CI_SERVER_VERSION: '1.2.3',
    CI_SERVER_VERSION_MAJOR: '1',
    CI_SERVER_VERSION_MINOR: '2',
    CI_SERVER_VERSION_PATCH: '3',
    CI_SERVER_REVISION: 'abc',
    GITLAB_FEATURES: '',
    CI_PAGES_DOMAIN: 'pages.example',
    CI_PAGES_URL: 'https://top.pages.example:8929/sub/app',
    CI_PAGES_HOSTNAME: 'top.pages.example',
    CI_API_V4_URL: 'https://ci.example:8929/api/v4',
    CI_API_GRAPHQL_URL: 'https://ci.example:8929/api/graphql',
    CI_TEMPLATE_REGISTRY_HOST: 'registry.gitlab.com',
    CI_PROJECT_ID: '7',
    CI_PROJECT_NAME: 'app',
    CI_PROJECT_TITLE: 'My App',
    CI_PROJECT_DESCRIPTION: '',
    CI_PROJECT_PATH: 'Top/sub/app',
    CI_PROJECT_PATH_SLUG: 'top-sub-app',
    CI_PROJECT_NAMESPACE: 'Top/sub',
    CI_PROJECT_NAMESPACE_ID: '5',
    CI_PROJECT_NAMESPACE_SLUG: 'top-sub',
    CI_PROJECT_ROOT_NAMESPACE: 'Top',
    CI_PROJECT_URL: 'https://ci.example:8929/Top/sub/app',
    CI_PROJECT_VISIBILITY: 'private',
    CI_PROJECT_REPOSITORY_LANGUAGES: '',
    CI_PROJECT_TOPICS: '',
    CI_PROJECT_CLASSIFICATION_LABEL: '',
    CI_DEFAULT_BRANCH: 'main',
    CI_DEFAULT_BRANCH_SLUG: 'main',
    CI_CONFIG_PATH: '.gitlab-ci.yml',
    CI_CONFIG_REF_URI: 'ci.example:8929/Top/sub/app//.gitlab-ci.yml@refs/heads/feature/x',
    CI_PIPELINE_IID: '12',
    CI_PIPELINE_SOURCE: 'push',
    CI_PIPELINE_CREATED_AT: '2026-03-04T05:06:01Z',
    CI_COMMIT_SHA: SHA,
    CI_COMMIT_SHORT_SHA: '1a2b3c4d',
    CI_COMMIT_BEFORE_SHA: '0'.repeat(40),
    CI_COMMIT_REF_NAME: 'feature/x',
    CI_COMMIT_REF_SLUG: 'feature-x',
    CI_COMMIT_BRANCH: 'feature/x',
    CI_COMMIT_REF_PROTECTED: 'true',
    CI_COMMIT_MESSAGE: 'Fix it\n\nFor good.\n',
    CI_COMMIT_MESSAGE_IS_TRUNCATED: 'false',
    CI_COMMIT_TITLE: 'Fix it',
    CI_COMMIT_DESCRIPTION: 'For good.\n',
    CI_COMMIT_TIMESTAMP: '2026-03-04T06:01:00+01:00',
    CI_COMMIT_AUTHOR: 'Ada L <ada@example.com>',
    CI_COMMIT_USER_LOGIN: 'ada',
    CI_RUNNER_ID: '4',
    CI_RUNNER_DESCRIPTION: 'builder',
    CI_RUNNER_TAGS: '["docker","linux"]',
    FROM_YAML: 'yaml',
    GITLAB_USER_ID: '9',
    GITLAB_USER_EMAIL: 'ada@example.com',
    GITLAB_USER_LOGIN: 'ada',
    GITLAB_USER_NAME: 'Ada L',
  })
})

test('the CI file is compiled with the values that its jobs get', async () => {
  const repositories = { readCommit: async () => facts.event.commit, tagMessage: async () => 'never asked' }
  const { database } = await openSqlite()
  const { project, server, user } = facts
  const request = {
    project,
    user,
    ref: 'feature/x',
    refType: 'branch',
    sha: SHA,
    beforeSha: '0'.repeat(40),
    source: 'push',
  } as const
  const deps = {
    database,
    secrets: testSecrets(),
    repositories,
    server,
  }
  const { variables } = await pipelineContext(deps, request, true)
  const known = [...variables.predefined, ...(variables.predefinedForJobs ?? []), ...variables.user]
  expect(known.length).toBeGreaterThan(50)
  expect(environmentOf(payloadOf())).toMatchObject(
    Object.fromEntries(known.map(({ key, value }) => [key, value])),
  )
})

test('the tag of a release has a message', () => {
  const tag = { pipeline: { ref: 'v1', tag: true }, tagMessage: 'First release' }
  expect(environmentOf(payloadOf(tag))['CI_COMMIT_TAG_MESSAGE']).toBe('First release')
  expect(environmentOf(payloadOf({ tagMessage: 'of no tag' }))).not.toHaveProperty('CI_COMMIT_TAG_MESSAGE')
})

test('an instance of a parallel job knows its place, a job of an environment where it goes', () => {
  const options = {
    ...facts.job.options,
    parallel: { index: 1, total: 2 },
    environment: { name: 'prod', action: 'start', url: 'https://$CI_ENVIRONMENT_NAME.example' },
  } as const
  expect(environmentOf(payloadOf({ job: { options } }))).toMatchObject({
    CI_NODE_INDEX: '1',
    CI_NODE_TOTAL: '2',
    CI_ENVIRONMENT_NAME: 'prod',
    CI_ENVIRONMENT_TIER: 'production',
    CI_ENVIRONMENT_URL: 'https://prod.example',
  })
})

test('the address of the site of a job has the path of its preview', () => {
  const pages = { publish: 'public', pathPrefix: 'Mr $CI_COMMIT_REF_NAME' }
  const options = { ...facts.job.options, pages }
  const environment = environmentOf(payloadOf({ job: { options }, pipeline: { ref: 'a/b' } }))
  expect(environment).toMatchObject({
    CI_PAGES_URL: 'https://top.pages.example:8929/sub/app/mr-a-b',
    CI_PAGES_HOSTNAME: 'top.pages.example',
  })
})

test('a server on the usual port has no port in its name', () => {
  const environment = environmentOf(payloadOf({ server: { externalUrl: 'https://ci.example' } }))
  expect(environment).toMatchObject({ CI_SERVER_FQDN: 'ci.example', CI_SERVER_PORT: '443' })
})

test('a tag is fetched as a tag and known as one', () => {
  const payload = payloadOf({ pipeline: { ref: 'v1.0', tag: true } })
  expect(payload.git_info).toMatchObject({
    ref: 'v1.0',
    ref_type: 'tag',
    refspecs: ['+refs/pipelines/55:refs/pipelines/55', '+refs/tags/v1.0:refs/tags/v1.0'],
  })
  const environment = environmentOf(payload)
  expect(environment['CI_COMMIT_TAG']).toBe('v1.0')
  expect(environment).not.toHaveProperty('CI_COMMIT_BRANCH')
})

test('a merge request is fetched by the ref of its pipeline alone', () => {
  const pipeline = { ref: 'refs/merge-requests/1/head' }
  expect(payloadOf({ pipeline }).git_info).toMatchObject({
    ref: 'refs/merge-requests/1/head',
    ref_type: 'branch',
    refspecs: ['+refs/pipelines/55:refs/pipelines/55'],
  })
})

test.each([
  ['0', 0, ['+refs/heads/*:refs/remotes/origin/*', '+refs/tags/*:refs/tags/*']],
  ['5', 5, ['+refs/heads/feature/x:refs/remotes/origin/feature/x']],
  ['many', 20, ['+refs/heads/feature/x:refs/remotes/origin/feature/x']],
])('GIT_DEPTH %s gives the depth %i', (value, depth, refspecs) => {
  const { git_info } = payloadOf({ job: { yaml_variables: [{ key: 'GIT_DEPTH', value, raw: false }] } })
  expect(git_info.depth).toBe(depth)
  expect(git_info.refspecs?.slice(1)).toEqual(refspecs)
})

test('of variables with one name the source with the highest precedence comes last', () => {
  const from = (value: string) => [{ key: 'X', value, public: false, masked: false }]
  const yaml = { job: { yaml_variables: [{ key: 'X', value: 'yaml', raw: false }] } }
  expect(environmentOf(payloadOf(yaml))['X']).toBe('yaml')
  const dotenv = { ...yaml, dotenvVariables: from('dotenv') }
  expect(environmentOf(payloadOf(dotenv))['X']).toBe('dotenv')
  const project = { ...dotenv, settingsVariables: from('project') }
  expect(environmentOf(payloadOf(project))['X']).toBe('project')
  const pipeline = { ...project, pipelineVariables: from('pipeline') }
  expect(environmentOf(payloadOf(pipeline))['X']).toBe('pipeline')
  expect(environmentOf(payloadOf({ ...pipeline, playedVariables: from('played') }))['X']).toBe('played')
})

test('the failed jobs of a user are held by default, unless a variable of the job says otherwise', () => {
  expect(environmentOf(payloadOf())).not.toHaveProperty('SWITCHYARD_HOLD')
  expect(environmentOf(payloadOf({ isHeldWhenFailed: true }))['SWITCHYARD_HOLD']).toBe('failure')
  const yaml_variables = [{ key: 'SWITCHYARD_HOLD', value: 'never', raw: false }]
  const own = payloadOf({ isHeldWhenFailed: true, job: { yaml_variables } })
  expect(environmentOf(own)['SWITCHYARD_HOLD']).toBe('never')
})

test('references of the CI file are replaced before the runner sees them', () => {
  const yaml_variables = [
    { key: 'IMAGE', value: '$REGISTRY/$CI_PROJECT_PATH_SLUG:$CI_COMMIT_SHORT_SHA', raw: false },
    { key: 'REGISTRY', value: 'registry.example', raw: false },
    { key: 'AS_IT_IS', value: '$REGISTRY', raw: true },
  ]
  const payload = payloadOf({ job: { yaml_variables } })
  expect(environmentOf(payload)).toMatchObject({
    IMAGE: 'registry.example/top-sub-app:1a2b3c4d',
    AS_IT_IS: '$REGISTRY',
  })
  expect(payload.variables).toContainEqual({
    key: 'AS_IT_IS',
    value: '$REGISTRY',
    public: true,
    masked: false,
    raw: true,
  })
})

test('the job token is masked, and no secret is public', () => {
  const hidden = payloadOf().variables.filter((variable) => !variable.public)
  expect(hidden.map(({ key, masked }) => [key, masked])).toEqual([
    ['CI_JOB_TOKEN', true],
    ['CI_REPOSITORY_URL', false],
  ])
})

test('image, services, scripts and artifacts are passed on', () => {
  const payload = payloadOf({
    job: {
      options: {
        script: ['make'],
        afterScript: ['make clean'],
        image: { name: 'golang:1', entrypoint: [''], pullPolicy: ['always'], docker: { user: '1000' } },
        services: [
          { name: 'postgres:15', alias: 'db', variables: [{ key: 'P', value: 'x', raw: true }] },
          { name: 'redis', command: ['redis-server'] },
        ],
        artifacts: {
          paths: ['dist/'],
          exclude: ['dist/tmp'],
          untracked: false,
          when: 'always',
          expireIn: '1 week',
          name: 'dist',
        },
      },
    },
    dependencies: [{ id: 123, name: 'prepare', archive: { filename: 'a.zip', size: 9 } }],
  })
  expect(Compile(JobPayload).Errors(JSON.parse(JSON.stringify(payload)))).toEqual([])
  expect(payload).toMatchObject({
    steps: [
      { name: 'script' },
      { name: 'after_script', script: ['make clean'], when: 'always', allow_failure: true },
    ],
    image: {
      name: 'golang:1',
      entrypoint: [''],
      ports: [],
      pull_policy: ['always'],
      executor_opts: { docker: { user: '1000' } },
    },
    services: [
      {
        name: 'postgres:15',
        alias: 'db',
        command: null,
        entrypoint: null,
        pull_policy: null,
        executor_opts: {},
        variables: [{ key: 'P', value: 'x', public: true, raw: true }],
      },
      { name: 'redis', alias: null, command: ['redis-server'], variables: [] },
    ],
    artifacts: [
      {
        name: 'dist',
        untracked: false,
        paths: ['dist/'],
        exclude: ['dist/tmp'],
        when: 'always',
        expire_in: '1 week',
        artifact_type: 'archive',
        artifact_format: 'zip',
      },
    ],
    dependencies: [
      { id: 123, name: 'prepare', token: TOKEN, artifacts_file: { filename: 'a.zip', size: 9 } },
    ],
  })
})

test('native steps are JSON in a text, and there are no others', () => {
  const run = [
    { name: 'one', script: 'echo "1"', env: { A: '1' } },
    { name: 'two', step: 'host/a@1', inputs: { b: [true] } },
  ]
  const payload = payloadOf({ job: { options: { ...facts.job.options, script: [], run } } })
  expect(payload).not.toHaveProperty('steps')
  expect(JSON.parse(payload.run ?? '')).toEqual(run)
  expect(Compile(JobPayload).Errors(JSON.parse(JSON.stringify(payload)))).toEqual([])
  expect(payloadOf()).not.toHaveProperty('run')
})

test('jobs on project or group runners do not count for fair use of instance runners', () => {
  const { job_info } = buildPayload({ ...facts, runningOnInstanceRunners: undefined })
  expect(job_info.project_jobs_running_on_instance_runners_count).toBe('+Inf')
})

test('a very long commit message is cut', () => {
  const message = 'é'.repeat(60_000)
  const environment = environmentOf(payloadOf({ commit: { message } }))
  expect(environment['CI_COMMIT_MESSAGE']).toBe('é'.repeat(50_000))
  expect(environment['CI_COMMIT_MESSAGE_IS_TRUNCATED']).toBe('true')
})
