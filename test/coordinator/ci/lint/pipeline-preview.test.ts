import { expect, test } from 'vitest'

import type { PipelinePreview } from '../../../../src/coordinator/ci/lint/preview-schema.js'
import { openForFile } from '../../../support/lifetime.js'
import { startCiCoordinator } from '../../support/ci-coordinator.js'
import { addPerson } from '../../support/test-app.js'

const CI_FILE = `spec:
  inputs:
    target: { description: 'Where to deploy', options: [staging, production] }
    size: { type: number, default: 2 }
    region:
      rules:
        - { if: '$[[ inputs.target ]] == "production"', options: [eu, us], default: eu }
        - { default: none }
---
variables:
  LEVEL: { value: info, description: 'Level of the log', options: [info, debug] }
  PLAIN: x
build: { script: 'make $[[ inputs.size ]]', rules: [{ if: $CI_PIPELINE_SOURCE == "web" }] }
deploy: { stage: deploy, script: deploy, environment: '$[[ inputs.target ]]-$[[ inputs.region ]]', when: manual }
debug: { script: debug, rules: [{ if: $LEVEL == "debug" }] }
`

const scene = openForFile(async () => {
  const coordinator = await startCiCoordinator()
  coordinator.repositories.ciFile = CI_FILE
  return coordinator
})

async function preview(params: object) {
  const { app, admin, project } = scene()
  const body = { ref: 'main', ...params }
  const response = await app.call(admin, `POST /projects/${project.id}/pipeline/preview`, body)
  return { status: response.statusCode, result: response.json<PipelinePreview>() }
}

test('names the inputs that are missing, with their kinds and choices', async () => {
  const { status, result } = await preview({})
  expect(status).toBe(200)
  expect(result).toMatchObject({
    valid: false,
    errors: ['`target` input: required value has not been provided'],
    jobs: [],
    inputs: [
      {
        name: 'target',
        type: 'string',
        description: 'Where to deploy',
        required: true,
        default: null,
        options: ['staging', 'production'],
        regex: null,
        problem: 'required value has not been provided',
      },
      { name: 'size', type: 'number', required: false, default: 2, options: null, problem: null },
      { name: 'region', default: 'none', options: null },
    ],
    variables: [],
    may_set_variables: true,
  })
})

test('has the jobs of the event, and the described variables', async () => {
  const { result } = await preview({ inputs: { target: 'production', size: '3' } })
  expect(result).toMatchObject({
    valid: true,
    errors: [],
    inputs: [{ problem: null }, { problem: null }, { name: 'region', default: 'eu', options: ['eu', 'us'] }],
    variables: [{ key: 'LEVEL', value: 'info', description: 'Level of the log', options: ['info', 'debug'] }],
  })
  expect(result.jobs).toEqual([
    { name: 'build', stage: 'test', when: 'on_success', allow_failure: false, environment: null },
    {
      name: 'deploy',
      stage: 'deploy',
      when: 'manual',
      allow_failure: true,
      environment: 'production-eu',
    },
  ])
})

test('follows variables and source', async () => {
  const variables = [{ key: 'LEVEL', value: 'debug' }]
  const { result } = await preview({ inputs: { target: 'staging' }, variables, source: 'schedule' })
  expect(result.jobs.map(({ name }) => name)).toEqual(['debug', 'deploy'])
})

test('says what is wrong with a value', async () => {
  const { result } = await preview({ inputs: { target: 'moon', size: 'many' } })
  expect(result.inputs.map(({ problem }) => problem)).toEqual([
    '`moon` cannot be used because it is not in the list of allowed options',
    'provided value is not a number',
    null,
  ])
})

test('refuses variables that the caller may not set', async () => {
  const { app, project, database } = scene()
  const developer = await addPerson(database, 'dora')
  const membership = { project_id: project.id, user_id: developer.id, access_level: 30, created_at: 0 }
  await database.insertInto('member').values(membership).execute()
  const role = {
    restrict_user_defined_variables: true,
    pipeline_variables_minimum_override_role: 'maintainer',
  }
  await database
    .updateTable('project')
    .set(role as object)
    .execute()
  const call = (body: object) =>
    app.call(developer, `POST /projects/${project.id}/pipeline/preview`, { ref: 'main', ...body })
  expect((await call({})).json()).toMatchObject({ may_set_variables: false })
  expect((await call({ variables: [{ key: 'A', value: 'b' }] })).statusCode).toBe(403)
})
