import { describe, expect, test } from 'vitest'

import type { CiKeywords, LintReport } from '../../../../src/coordinator/ci/lint/schema.js'
import { openForFile } from '../../../support/lifetime.js'
import { type CiCoordinator, startCiCoordinator } from '../../support/ci-coordinator.js'
import { addPerson, EXTERNAL_URL, type Person } from '../../support/test-app.js'
import { SHA } from '../engine/support/fake-repositories.js'

const CI_FILE = `stages: [build, test]
default:
  before_script: [prepare]
.base:
  tags: [linux]
build:
  extends: .base
  stage: build
  script: make
test:
  script: make test
  needs: [build]
  rules:
    - if: $CI_COMMIT_BRANCH == "main"
      when: manual
`

interface LintResponse {
  valid: boolean
  errors: string[]
  warnings: string[]
  merged_yaml: string | null
  includes: unknown[]
  jobs?: { name: string; when: string; allow_failure: boolean; only?: unknown }[]
}

async function lint(
  { app, project }: CiCoordinator,
  as: Person | undefined,
  method: 'GET' | 'POST',
  params: object,
): Promise<{ status: number; result: LintResponse }> {
  const response = await app.call(as, `${method} /projects/${project.id}/ci/lint`, params)
  return { status: response.statusCode, result: response.json<LintResponse>() }
}

describe('in an empty repository', () => {
  async function startEmpty(default_branch: string | null) {
    const coordinator = await startCiCoordinator()
    const { database, repositories } = coordinator
    await database.updateTable('project').set({ default_branch }).execute()
    repositories.missingRefs.add('main')
    return coordinator
  }

  test.each([null, 'main'])('a text is checked, with the default branch %s', async (branch) => {
    const coordinator = await startEmpty(branch)
    const right = { content: 'build: { script: make }', include_jobs: true }
    const { status, result } = await lint(coordinator, coordinator.admin, 'POST', right)
    expect(status).toBe(200)
    expect(result).toMatchObject({ valid: true, errors: [], jobs: [{ name: 'build' }] })
    const wrong = await lint(coordinator, coordinator.admin, 'POST', { content: 'build: { scirpt: make }' })
    expect(wrong).toMatchObject({ status: 200, result: { valid: false } })
  })

  test('a text includes files named by project variables, but no local file', async () => {
    const coordinator = await startEmpty(null)
    const content = 'include: [{ local: $CI_PROJECT_NAME.yml }, { local: "*.yaml" }]'
    const { result } = await lint(coordinator, coordinator.admin, 'POST', { content })
    expect(result).toMatchObject({ valid: false, errors: [expect.stringContaining('app.yml')] })
  })

  test('a dry run says that there is no branch to run it for', async () => {
    const coordinator = await startEmpty(null)
    const body = { content: 'build: { script: make }', dry_run: true }
    const { status, result } = await lint(coordinator, coordinator.admin, 'POST', body)
    expect([status, result.valid, result.errors]).toEqual([200, false, ['Reference not found']])
  })

  test.each([null, 'main'])(
    'there is no committed file to check, with the default branch %s',
    async (branch) => {
      const coordinator = await startEmpty(branch)
      const { status, result } = await lint(coordinator, coordinator.admin, 'GET', {})
      expect([status, result]).toEqual([404, { message: '404 Repository Not Found' }])
    },
  )
})

test('a correct text is valid, and the response has its merged configuration and jobs', async () => {
  const coordinator = await startCiCoordinator()
  const { status, result } = await lint(coordinator, coordinator.admin, 'POST', {
    content: CI_FILE,
    include_jobs: true,
  })
  expect(status).toBe(200)
  expect(result).toMatchObject({ valid: true, errors: [], warnings: [], includes: [] })
  expect(result.merged_yaml).toContain('build:\n  tags:\n    - linux\n  extends: .base\n')
  expect(result.jobs).toEqual([
    {
      name: 'build',
      stage: 'build',
      before_script: ['prepare'],
      script: ['make'],
      after_script: [],
      tag_list: ['linux'],
      only: { refs: ['branches', 'tags'] },
      except: null,
      environment: null,
      when: 'on_success',
      allow_failure: false,
      needs: null,
    },
    {
      name: 'test',
      stage: 'test',
      before_script: ['prepare'],
      script: ['make test'],
      after_script: [],
      tag_list: [],
      only: null,
      except: null,
      environment: null,
      when: 'on_success',
      allow_failure: false,
      needs: [{ name: 'build', artifacts: true, optional: false }],
    },
  ])
})

test('a dry run has the jobs of the ref, as its rules want them', async () => {
  const coordinator = await startCiCoordinator()
  const dryRun = (ref: string) =>
    lint(coordinator, coordinator.admin, 'POST', { content: CI_FILE, dry_run: true, include_jobs: true, ref })
  const main = await dryRun('main')
  expect(main.result.jobs?.map(({ name, when, allow_failure }) => [name, when, allow_failure])).toEqual([
    ['build', 'on_success', false],
    ['test', 'manual', false],
  ])
  const other = await dryRun('other')
  expect(other.result.jobs?.map(({ name }) => name)).toEqual(['build'])
})

describe('a dry run that explains its decisions', () => {
  const content = `
workflow: { rules: [{ if: $CI_COMMIT_TAG }, { if: $CI_COMMIT_BRANCH }] }
always: { script: x }
ruled: { script: x, rules: [{ if: $CI_COMMIT_TAG, when: never }, { if: $CI_PIPELINE_SOURCE == "push" && $TOKEN }] }
never: { script: x, rules: [{ changes: [docs/*], if: $CI_COMMIT_TAG }, { when: never }] }
tags: { script: x, only: [tags] }
docs: { script: x, except: [branches] }
`
  const openScene = openForFile(async () => {
    const coordinator = await startCiCoordinator()
    const variable = { key: 'TOKEN', value: 'secret-value' }
    await coordinator.app.call(
      coordinator.admin,
      `POST /projects/${coordinator.project.id}/variables`,
      variable,
    )
    return coordinator
  })
  async function explain(params: object) {
    const body = { content, dry_run: true, explain: true, ref: 'main', ...params }
    const { app, admin, project } = openScene()
    const response = await app.call(admin, `POST /projects/${project.id}/ci/lint`, body)
    return { status: response.statusCode, report: response.json<LintReport>() }
  }

  test('says which rule decided, with the variables that it saw', async () => {
    const { report } = await explain({})
    expect(report.event?.outcome).toBe('pipeline')
    expect(report.event?.workflow?.rules.map(({ failed }) => failed)).toEqual(['if', null])
    expect(report.event?.workflow?.variables).toEqual([
      { name: 'CI_COMMIT_TAG', is_set: false, value: null },
      { name: 'CI_COMMIT_BRANCH', is_set: true, value: 'main' },
    ])
    expect(
      report.event?.jobs.map(({ name, included, reason, policy }) => [name, included, reason, policy]),
    ).toEqual([
      ['always', true, 'no_condition', null],
      ['ruled', true, 'rule', null],
      ['never', false, 'rule', null],
      ['tags', false, 'only', 'refs'],
      ['docs', false, 'except', 'refs'],
    ])
    expect(report.event?.jobs[1]?.rules).toEqual([
      { condition: 'if: $CI_COMMIT_TAG', when: 'never', failed: 'if', file: '.gitlab-ci.yml', line: 4 },
      {
        condition: 'if: $CI_PIPELINE_SOURCE == "push" && $TOKEN',
        when: null,
        failed: null,
        file: '.gitlab-ci.yml',
        line: 4,
      },
    ])
    expect(report.event?.jobs[2]?.rules[0]?.condition).toBe('if: $CI_COMMIT_TAG; changes: ["docs/*"]')
  })

  test('keeps the values of variables from the settings', async () => {
    const { report } = await explain({})
    expect(report.event?.jobs[1]?.variables).toContainEqual({ name: 'TOKEN', is_set: true, value: null })
    expect(JSON.stringify(report)).not.toContain('secret-value')
  })

  test('is for the event that the caller names', async () => {
    const { report } = await explain({ source: 'schedule' })
    expect(report.event?.jobs[1]).toMatchObject({ included: false, reason: 'no_rule' })
    const { status } = await explain({ source: 'merge_request_event' })
    expect(status).toBe(400)
  })

  test('says that the rules of the workflow exclude the pipeline', async () => {
    const { report } = await explain({ content: 'workflow: { rules: [{ if: $NO }] }\na: { script: x }' })
    expect(report.event).toMatchObject({
      outcome: 'filtered',
      jobs: [],
      workflow: { rules: [{ failed: 'if' }] },
    })
  })
})

test('a wrong text is refused with every problem', async () => {
  const coordinator = await startCiCoordinator()
  const { status, result } = await lint(coordinator, coordinator.admin, 'POST', {
    content: 'a: { script: x, when: soon }\nb: { script: { x: y } }\n',
  })
  expect(status).toBe(200)
  expect(result).toMatchObject({ valid: false, includes: [] })
  expect(result.errors).toHaveLength(2)
  expect(result.errors[0]).toContain('jobs:a when should be one of')
  expect(result).not.toHaveProperty('jobs')
})

test('a dry run that gives no pipeline is not valid, and says why', async () => {
  const coordinator = await startCiCoordinator()
  const content = 'workflow: { rules: [{ if: $NEVER }] }\na: { script: x }\n'
  const { result } = await lint(coordinator, coordinator.admin, 'POST', { content, dry_run: true })
  expect(result).toMatchObject({ valid: false, errors: ['Pipeline filtered out by workflow rules.'] })
  expect((await lint(coordinator, coordinator.admin, 'POST', { content })).result.valid).toBe(true)
})

test('the committed file is checked; a commit without one gives the error of the content field', async () => {
  const coordinator = await startCiCoordinator()
  coordinator.repositories.ciFile = CI_FILE
  expect((await lint(coordinator, coordinator.admin, 'GET', {})).result.valid).toBe(true)
  coordinator.repositories.ciFile = undefined
  expect((await lint(coordinator, coordinator.admin, 'GET', {})).result).toMatchObject({
    valid: false,
    errors: ['Please provide content of .gitlab-ci.yml'],
    merged_yaml: null,
  })
})

describe('addresses of an included file', () => {
  const blob = (path: string) => `${EXTERNAL_URL}/${path.replace(':', `/-/blob/${SHA}/`)}`
  const raw = (project: string, path: string) =>
    `${EXTERNAL_URL}/api/v4/projects/${project}/repository/files/${path}/raw?ref=${SHA}`

  async function includesOf(include: string, files: Record<string, string>): Promise<unknown[]> {
    const coordinator = await startCiCoordinator()
    const { engine, project, repositories, admin } = coordinator
    for (const [path, text] of Object.entries(files)) repositories.files.set(path, text)
    engine.outside.readableProject = async () => ({ ...project, id: 99, full_path: 'lib/ci' })
    engine.outside.fetchRemote = async () => ({ kind: 'text', text: Buffer.from('r: { script: x }') })
    engine.outside.readTemplate = async () => 't: { script: x }'
    const { result } = await lint(coordinator, admin, 'POST', { content: `include: ${include}` })
    expect(result.errors).toEqual([])
    return result.includes
  }

  test('those of the project itself and of another one, at their commits', async () => {
    const includes = await includesOf('[{ local: /ci/a b.yml }, { project: lib/ci, file: /up.yml }]', {
      'ci/a b.yml': 'a: { script: x }',
      '99:up.yml': 'include: { local: down.yml }',
      '99:down.yml': 'b: { script: x }',
    })
    const here = { extra: {}, context_project: 'group/app', context_sha: SHA }
    expect(includes).toEqual([
      {
        type: 'local',
        location: '/ci/a b.yml',
        ...here,
        blob: blob('group/app:ci/a%20b.yml'),
        raw: raw('group%2Fapp', 'ci%2Fa%20b.yml'),
      },
      {
        type: 'file',
        location: '/up.yml',
        ...here,
        blob: blob('lib/ci:up.yml'),
        raw: raw('lib%2Fci', 'up.yml'),
      },
      {
        type: 'local',
        location: 'down.yml',
        ...here,
        context_project: 'lib/ci',
        blob: blob('lib/ci:down.yml'),
        raw: raw('lib%2Fci', 'down.yml'),
      },
    ])
  })

  test('a component where its file is', async () => {
    const location = `${new URL(EXTERNAL_URL).host}/lib/ci/build@1.0.0`
    const path = 'templates/build/template.yml'
    const includes = await includesOf(`[{ component: ${location} }]`, { [`99:${path}`]: 'a: { script: x }' })
    expect(includes).toMatchObject([
      {
        type: 'component',
        location,
        context_project: 'group/app',
        blob: blob(`lib/ci:${path}`),
        raw: raw('lib%2Fci', path.replaceAll('/', '%2F')),
      },
    ])
  })

  test('a remote one by its own, a template by none', async () => {
    const location = 'https://example.com/r.yml'
    expect(await includesOf(`[${location}, { template: T.gitlab-ci.yml }]`, {})).toMatchObject([
      { type: 'remote', location, blob: null, raw: location, context_project: 'group/app' },
      { type: 'template', location: 'T.gitlab-ci.yml', blob: null, raw: null, context_sha: SHA },
    ])
  })

  test('without hidden values', async () => {
    const coordinator = await startCiCoordinator()
    const { database, engine, project, repositories, admin } = coordinator
    await database
      .insertInto('ci_variable')
      .values({
        project_id: project.id,
        key: 'SECRET',
        value_encrypted: engine.secrets.encrypt('hidden-path'),
        variable_type: 'env_var',
        masked: true,
        created_at: 0,
        updated_at: 0,
      })
      .execute()
    repositories.files.set('hidden-path/a.yml', 'a: { script: x }')
    const { result } = await lint(coordinator, admin, 'POST', { content: 'include: $SECRET/a.yml' })
    expect(result.includes).toMatchObject([{ location: '[MASKED]/a.yml' }])
    expect(JSON.stringify(result.includes)).not.toContain('hidden-path')
  })
})

test('only developers have a text of their own looked at', async () => {
  const coordinator = await startCiCoordinator()
  const reporter = await addPerson(coordinator.database, 'reporter')
  await coordinator.database
    .insertInto('member')
    .values({
      project_id: coordinator.project.id,
      user_id: reporter.id,
      access_level: 20,
      created_at: Date.now(),
    })
    .execute()
  coordinator.repositories.ciFile = CI_FILE
  expect((await lint(coordinator, reporter, 'POST', { content: CI_FILE })).status).toBe(403)
  expect((await lint(coordinator, reporter, 'GET', {})).status).toBe(200)
})

test('a text without a project is checked for every user', async () => {
  const coordinator = await startCiCoordinator()
  const { app, database } = coordinator
  const someone = await addPerson(database, 'someone')
  const check = async (body: object) => {
    const response = await app.call(someone, 'POST /ci/lint', body)
    expect(response.statusCode).toBe(200)
    return response.json<LintResponse>()
  }
  expect(await check({ content: CI_FILE })).toEqual({ status: 'valid', errors: [], warnings: [] })
  const all = await check({ content: CI_FILE, include_merged_yaml: true, include_jobs: true })
  expect(all.merged_yaml).toContain('extends: .base')
  expect(all.jobs?.map(({ name }) => name)).toEqual(['build', 'test'])
  const asking = await check({
    content: 'job: { script: "${{ job.inputs.a }}", inputs: { a: { type: number, default: 3 } } }',
    include_jobs: true,
  })
  expect(asking.jobs).toMatchObject([
    { script: ['${{ job.inputs.a }}'], inputs: [{ name: 'a', type: 'number', default: '3' }] },
  ])
  expect(await check({ content: 'job: { nonsense: 1 }' })).toMatchObject({ status: 'invalid' })
  const local = await check({ content: 'include: [{ local: a.yml }]\njob: { script: a }' })
  expect(local).toMatchObject({ status: 'invalid', errors: [expect.stringContaining('a.yml')] })
  // The project is there, but not for this user.
  const foreign = 'include: [{ project: group/app, file: a.yml }]\njob: { script: a }'
  const hidden = await check({ content: foreign })
  expect(hidden.errors).toEqual([
    'Project `group/app` not found or access denied! Make sure any includes in the pipeline configuration are correctly defined.',
  ])
  expect((await app.call(undefined, 'POST /ci/lint', { content: CI_FILE })).statusCode).toBe(401)
  const missing = await app.call(someone, 'POST /ci/lint', {})
  expect([missing.statusCode, missing.json()]).toEqual([400, { error: 'content is missing' }])
})

describe('problems', () => {
  const coordinator = openForFile(() => startCiCoordinator())
  const problemsOf = async (content: string, more: object = {}) => {
    const { app, project, admin } = coordinator()
    const response = await app.call(admin, `POST /projects/${project.id}/ci/lint`, { content, ...more })
    return response.json<LintReport>().problems
  }

  test('name the file, line and column of each error', async () => {
    expect(await problemsOf('a:\n  script: x\n  when: soon\nb:\n  script: { x: y }\n')).toEqual([
      {
        message: 'jobs:a when should be one of: on_success, on_failure, always, manual, delayed',
        severity: 'error',
        path: ['a', 'when'],
        file: '.gitlab-ci.yml',
        line: 3,
        column: 3,
      },
      expect.objectContaining({ path: ['b', 'script'], line: 5, column: 3 }),
    ])
  })

  test('name the place of what is not YAML', async () => {
    const [problem] = await problemsOf('a:\n  script: [x\nb: 1')
    expect(problem).toMatchObject({ severity: 'error', path: [], file: '.gitlab-ci.yml', line: 3 })
  })

  test('are in the included file that has them', async () => {
    coordinator().repositories.files.set('ci/part.yml', '\nb: { script: x, when: soon }\n')
    expect(await problemsOf('include: { local: ci/part.yml }\na: { script: x }')).toMatchObject([
      { file: 'ci/part.yml', line: 2, column: 17 },
    ])
  })

  test('have the place of each warning, also in a copied job', async () => {
    const content =
      'default:\n  timeout: 1h\n.base:\n  rules:\n    - when: always\na:\n  extends: .base\n  script: x\n'
    expect(await problemsOf(content)).toMatchObject([
      { severity: 'warning', path: ['default', 'timeout'], line: 2 },
      { severity: 'warning', path: ['a', 'rules'], line: 4, column: 3 },
    ])
  })

  test('have no place where a dry run gives no pipeline', async () => {
    const content = 'workflow: { rules: [{ if: $NEVER }] }\na: { script: x }'
    expect(await problemsOf(content, { dry_run: true })).toEqual([
      expect.objectContaining({ severity: 'error', path: [], file: null, line: null, column: null }),
    ])
  })

  test('are none in a right file', async () => {
    expect(await problemsOf('a: { script: x }')).toEqual([])
  })
})

test('the keywords of the language are listed for everybody', async () => {
  const { app } = await startCiCoordinator()
  const response = await app.call(undefined, 'GET /ci/keywords')
  const { maps } = response.json<CiKeywords>()
  expect(response.statusCode).toBe(200)
  expect(maps['file']?.map(({ name }) => name)).toContain('stages')
  expect(maps['artifacts']).toContainEqual({
    name: 'when',
    kinds: ['string'],
    about: 'When the archive is uploaded.',
    map: null,
    words: ['on_success', 'on_failure', 'always'],
  })
  expect(maps['job']?.find(({ name }) => name === 'artifacts')).toMatchObject({
    kinds: ['map'],
    map: 'artifacts',
  })
})
