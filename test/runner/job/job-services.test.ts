import { expect, test } from 'vitest'

import type { JobService, JobVariable } from '../../../src/protocol/job-payload.js'
import type { DockerSettings } from '../../../src/runner/config/settings.js'
import { jobServices } from '../../../src/runner/job/prepare-executor.js'
import { valuesOf } from '../../../src/runner/variables/job-variables.js'
import { runnerRegistration } from '../../support/running-runner.js'

type Configured = NonNullable<DockerSettings['services']>

const VARIABLES: JobVariable[] = [
  { key: 'VERSION', value: '15', public: true },
  { key: 'PASSWORD', value: 'secret' },
]

function servicesOf(
  services: JobService[],
  more: { variables?: JobVariable[]; configured?: Configured } = {},
) {
  const list = [...VARIABLES, ...(more.variables ?? [])]
  const warnings: string[] = []
  const registration = runnerRegistration('http://127.0.0.1', {
    docker: { image: 'x', services: more.configured ?? [] },
  })
  const log = { warning: (text: string) => void warnings.push(text) }
  return {
    ...jobServices({ payload: { services }, registration, variables: { list, values: valuesOf(list) }, log }),
    warnings,
  }
}

test('a service gets the public job variables and its own, which may refer to all job variables', () => {
  const { services } = servicesOf([
    {
      name: 'postgres:$VERSION',
      variables: [
        { key: 'POSTGRES_PASSWORD', value: '$PASSWORD' },
        { key: 'RAW', value: '$PASSWORD', raw: true },
      ],
    },
  ])
  expect(services).toMatchObject([
    { name: 'postgres:15', environment: { VERSION: '15', POSTGRES_PASSWORD: 'secret', RAW: '$PASSWORD' } },
  ])
  expect(services?.[0]?.environment).not.toHaveProperty('PASSWORD')
})

test('services of the settings come first', () => {
  const configured = [
    {
      name: 'redis',
      alias: 'cache',
      command: ['c'],
      entrypoint: undefined,
      environment: [{ key: 'A', value: '$VERSION' }],
    },
  ]
  const { services } = servicesOf([{ name: 'db' }], { configured })
  expect(services).toMatchObject([
    { name: 'redis', aliases: ['cache'], command: ['c'], environment: { A: '15' }, isConfigured: true },
    { name: 'db', isConfigured: false },
  ])
})

test('a service may have several aliases, with variables', () => {
  const { services } = servicesOf([{ name: 'db', alias: 'a, b\tdb-$VERSION' }])
  expect(services?.[0]?.aliases).toEqual(['a', 'b', 'db-15'])
})

test('executor options set user and platform, unknown ones are rejected', () => {
  const options = { docker: { user: 1000, platform: 'linux/arm64' } }
  expect(servicesOf([{ name: 'db', executor_opts: options }]).services).toMatchObject([
    { user: '1000', platform: 'linux/arm64' },
  ])
  const unknown = [{ name: 'db', executor_opts: { docker: { shiny: true } } }]
  expect(() => servicesOf(unknown)).toThrow(/the service of the job has the option "docker.shiny"/)
})

test('a job may request service output and its own network', () => {
  expect(servicesOf([])).toMatchObject({ showServiceLogs: false, networkPerBuild: false, warnings: [] })
  const variables = [
    { key: 'CI_DEBUG_SERVICES', value: 'true' },
    { key: 'FF_NETWORK_PER_BUILD', value: 'maybe' },
  ]
  expect(servicesOf([], { variables })).toMatchObject({
    showServiceLogs: true,
    networkPerBuild: false,
    warnings: [expect.stringContaining('FF_NETWORK_PER_BUILD')],
  })
})

test('with the executor kubernetes, services are those of its table, and options those for it', () => {
  const registration = {
    debugTraceDisabled: false,
    docker: undefined,
    kubernetes: {
      image: 'x',
      pollTimeoutSeconds: 180,
      services: [
        { name: 'redis', alias: undefined, command: undefined, entrypoint: undefined, environment: [] },
      ],
    },
  }
  const service = {
    name: 'postgres:$VERSION',
    executor_opts: { docker: { user: 'postgres' }, kubernetes: { user: 70 } },
  }
  const { services } = jobServices({
    payload: { services: [service] },
    registration,
    variables: { list: VARIABLES, values: valuesOf(VARIABLES) },
    log: { warning: expect.unreachable },
  })
  expect(services).toMatchObject([
    { name: 'redis', isConfigured: true },
    { name: 'postgres:15', user: '70' },
  ])
})
