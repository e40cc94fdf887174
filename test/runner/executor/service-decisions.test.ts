import { describe, expect, test } from 'vitest'

import { networkFailure } from '../../../src/runner/executor/docker/network/build-network.js'
import {
  buildAliases,
  buildConnection,
  networkOptions,
  planNetwork,
} from '../../../src/runner/executor/docker/network/network-plan.js'
import { planServices, serviceName } from '../../../src/runner/executor/docker/services/plan-services.js'
import { serviceOptions } from '../../../src/runner/executor/docker/services/service-options.js'
import { hostEntries } from '../../../src/runner/executor/docker/services/start-services.js'
import { containerFacts } from '../../../src/runner/executor/docker/services/until-ready.js'
import type { DockerExecutorSettings } from '../../../src/runner/executor/docker/settings.js'
import type { ExecutorJob, ServiceRequest } from '../../../src/runner/executor/executor.js'
import { ServiceLines } from '../../../src/runner/executor/service-lines.js'
import { executorJob } from '../../support/executor-job.js'

const SETTINGS: DockerExecutorSettings = { image: 'alpine', runnerShortToken: 'aB_c', systemId: 's_1' }
const JOB = executorJob()

function request(name: string, more: Partial<ServiceRequest> = {}): ServiceRequest {
  const nothing = { entrypoint: undefined, command: undefined, pullPolicy: undefined, user: undefined }
  return { name, aliases: [], environment: {}, platform: undefined, isConfigured: false, ...nothing, ...more }
}

test.each([
  ['postgres', 'postgres', 'latest', 'postgres:latest', ['postgres']],
  ['postgres:15', 'postgres', '15', 'postgres:15', ['postgres']],
  ['group/db:1', 'group/db', '1', 'group/db:1', ['group__db', 'group-db']],
  ['r.io:5000/a/b/c:1', 'r.io/a/b/c', '1', 'r.io/a/b/c:1', ['r.io__a__b__c', 'r.io-a-b-c']],
  ['r.io:5000/a', 'r.io/a', 'latest', 'r.io/a:latest', ['r.io__a', 'r.io-a']],
  ['db@sha256:00', 'db', '@sha256:00', 'db@sha256:00', ['db']],
  ['r:1/db:2@sha256:00', 'r/db', '@sha256:00', 'r/db@sha256:00', ['r__db', 'r-db']],
])('the service image %j has its names', (image, service, version, title, aliases) => {
  expect(serviceName(image)).toEqual({ service, version, title, aliases })
})

describe('service plan', () => {
  test('skips a duplicate alias with a warning, and a service without aliases', () => {
    const requests = [
      request('db:1', { aliases: ['store', 'db'] }),
      request('cache', { aliases: ['store', 'fast'] }),
      request('db:2', { aliases: ['store'] }),
    ]
    const { services, warnings } = planServices(requests, {})
    expect(services.map(({ name, aliases }) => [name.title, aliases])).toEqual([
      ['db:1', ['db', 'store']],
      ['cache:latest', ['cache', 'fast']],
    ])
    expect(warnings).toEqual([
      'Service cache:latest: the alias "store" belongs to an earlier service, skipping it',
      'Service db:2: the alias "db" belongs to an earlier service, skipping it',
      'Service db:2: the alias "store" belongs to an earlier service, skipping it',
      'Service db:2 is not started: all of its aliases belong to earlier services',
    ])
  })

  test('rejects more services than the limit', () => {
    const two = [request('a'), request('b')]
    expect(() => planServices(two, { servicesLimit: 1 })).toThrow(
      'too many services requested: 2, only 1 allowed',
    )
    expect(planServices(two, { servicesLimit: 2 }).services).toHaveLength(2)
    expect(planServices(two, { servicesLimit: -1 }).services).toHaveLength(2)
  })

  test('rejects disallowed images, except those of the settings', () => {
    const allowedServices = ['postgres:*']
    expect(() => planServices([request('redis:7')], { allowedServices })).toThrow(
      'The runner does not allow the service "redis:7"; allowed: "postgres:*"',
    )
    const allowed = [request('postgres:15'), request('redis:7', { isConfigured: true })]
    expect(planServices(allowed, { allowedServices }).services).toHaveLength(2)
  })

  test.each([
    [{}, false],
    [{ privileged: true }, true],
    [{ privileged: true, servicesPrivileged: false }, false],
    [{ servicesPrivileged: true }, true],
    [{ servicesPrivileged: true, allowedPrivilegedServices: ['docker:*'] }, true],
    [{ servicesPrivileged: true, allowedPrivilegedServices: ['other'] }, false],
  ])('under %j the privileged one is %j', (settings, expected) => {
    expect(planServices([request('docker:dind')], settings).services[0]?.isPrivileged).toBe(expected)
  })
})

describe('build network', () => {
  const own = { kind: 'own', name: 'runner-aB_c-3-1-7' }
  test.each<[Partial<DockerExecutorSettings>, Partial<ExecutorJob>, string[], unknown]>([
    [{}, {}, [], { kind: 'untouched', mode: undefined }],
    [{}, {}, ['db'], own],
    [{}, { networkPerBuild: true }, [], own],
    [{ networkMtu: 1400 }, {}, [], own],
    [{ enableIpv6: true }, {}, [], own],
    [{ networkMode: 'host' }, { networkPerBuild: true }, [], { kind: 'untouched', mode: 'host' }],
    [{ networkMode: 'none' }, {}, [], { kind: 'untouched', mode: 'none' }],
    [{ networkMode: 'host' }, {}, ['db'], { kind: 'host', mode: 'host' }],
    [{ networkMode: 'bridge' }, {}, ['db'], { kind: 'default', mode: 'bridge' }],
    [{ networkMode: 'container:x' }, {}, ['db'], { kind: 'container', mode: 'container:x' }],
    [{ networkMode: 'mine' }, {}, ['db'], { kind: 'named', mode: 'mine' }],
  ])('under %j, for %j and the services %j', (settings, job, titles, expected) => {
    expect(planNetwork({ ...JOB, ...job }, { ...SETTINGS, ...settings }, titles)).toEqual(expected)
  })

  test('has a name of at most 63 characters, and the options of the settings', () => {
    const plan = planNetwork(JOB, { ...SETTINGS, runnerShortToken: 'x'.repeat(80) }, ['db'])
    expect(plan.kind === 'own' && plan.name).toHaveLength(63)
    expect(networkOptions('n', { ...SETTINGS, networkMtu: 1400, enableIpv6: true }, { a: 'b' })).toEqual({
      Name: 'n',
      CheckDuplicate: true,
      Driver: 'bridge',
      Labels: { a: 'b' },
      EnableIPv6: true,
      Options: { 'com.docker.network.driver.mtu': '1400' },
    })
  })

  test('resolves its name for the job, and "build" for the services', () => {
    const connection = buildConnection({ kind: 'own', name: 'n' }, [])
    expect(connection).toMatchObject({ networkMode: 'n', environment: { CI_BUILD_NETWORK_NAME: 'n' } })
    expect(buildAliases(connection, 'runner-1-build')).toEqual(['build', 'runner-1-build'])
    expect(buildAliases(buildConnection({ kind: 'host', mode: 'host' }, []), 'x')).toEqual([])
  })

  test.each([
    ['default', ['db:172.17.0.3', 'store:172.17.0.3']],
    ['host', ['db:127.0.0.1', 'store:127.0.0.1']],
    ['container', []],
    ['named', []],
  ] as const)('of the kind %s gives the job the host entries %j', (kind, expected) => {
    const [planned] = planServices([request('db', { aliases: ['store'] })], {}).services
    const facts = { exitCode: undefined, health: undefined, address: '172.17.0.3', ports: [] }
    expect(planned && hostEntries({ kind, mode: 'x' }, [{ planned, facts }], true)).toEqual(expected)
  })

  test('at an engine that resolves no names gives the job host entries', () => {
    const [planned] = planServices([request('db', { aliases: [] })], {}).services
    const facts = { exitCode: undefined, health: undefined, address: '10.88.0.3', ports: [] }
    const entries = planned && hostEntries({ kind: 'own', name: 'n' }, [{ planned, facts }], false)
    expect(entries).toEqual(['db:10.88.0.3'])
    expect(buildConnection({ kind: 'own', name: 'n' }, entries ?? []).hostEntries).toEqual(entries)
  })

  test.each([
    'could not find an available, non-overlapping IPv4 address pool among the defaults to assign to the network',
    'all predefined address pools have been fully subnetted',
  ])('that gets no address is reported with a remedy: %s', (words) => {
    const failure = networkFailure(
      Object.assign(new Error(words), { statusCode: 500, json: { message: words } }),
    )
    expect(failure).toMatchObject({ reason: 'runner_system_failure' })
    expect(failure.message).toMatch(/no addresses left.*docker network prune.*default-address-pools/)
  })
})

function optionsOf(settings: Partial<DockerExecutorSettings>, asked: Partial<ServiceRequest> = {}) {
  const all = { ...SETTINGS, ...settings }
  const [service] = planServices([request('group/db:1', asked)], all).services
  if (!service) throw new Error('no service')
  const network = planNetwork(JOB, all, ['db'])
  return serviceOptions({
    job: JOB,
    settings: all,
    service,
    network,
    imageId: 'sha256:1',
    hasHealthCheck: true,
    namePrefix: 'runner-1',
  })
}

describe('service container options', () => {
  test('are safe by default', () => {
    const options = optionsOf({}, { environment: { A: 'b' } })
    expect(options).toMatchObject({
      name: 'runner-1-group__db-0',
      Image: 'sha256:1',
      Env: ['A=b'],
      Labels: {
        'com.gitlab.gitlab-runner.type': 'service',
        'com.gitlab.gitlab-runner.service': 'group/db',
        'com.gitlab.gitlab-runner.service.version': '1',
        'com.gitlab.gitlab-runner.managed': 'true',
      },
      HostConfig: {
        Privileged: false,
        SecurityOpt: ['no-new-privileges'],
        NetworkMode: 'runner-aB_c-3-1-7',
      },
      NetworkingConfig: { EndpointsConfig: { 'runner-aB_c-3-1-7': { Aliases: ['group__db', 'group-db'] } } },
    })
    for (const key of ['Cmd', 'Entrypoint', 'User', 'platform']) expect(options).not.toHaveProperty(key)
  })

  test.each<[string, Partial<DockerExecutorSettings>, object]>([
    ['memory', { serviceMemory: 1, serviceMemorySwap: -1 }, { Memory: 1, MemorySwap: -1 }],
    ['cpus', { serviceCpus: 1.5, serviceCpusetCpus: '0' }, { NanoCpus: 1.5e9, CpusetCpus: '0' }],
    ['shares', { serviceCpuShares: 5, serviceCgroupParent: 'p' }, { CpuShares: 5, CgroupParent: 'p' }],
    ['security', { servicesSecurityOpt: ['label=x'] }, { SecurityOpt: ['no-new-privileges', 'label=x'] }],
    ['tmpfs', { servicesTmpfs: { '/x': 'rw' } }, { Tmpfs: { '/x': 'rw' } }],
    ['network', { networkMode: 'mine', dns: ['1.1.1.1'] }, { NetworkMode: 'mine', Dns: ['1.1.1.1'] }],
  ])('follow the settings of %s', (_, settings, expected) => {
    expect(optionsOf(settings).HostConfig).toMatchObject(expected)
  })

  test('set no host names in the network of another container, which the engine would reject', () => {
    const hostConfig = optionsOf({ networkMode: 'container:x', extraHosts: ['a:1'] }).HostConfig
    expect(hostConfig).toMatchObject({ NetworkMode: 'container:x' })
    expect(hostConfig).not.toHaveProperty('ExtraHosts')
  })

  test('have the devices whose patterns match the image', () => {
    const device = (path: string) => ({ PathOnHost: path, PathInContainer: path, CgroupPermissions: 'rwm' })
    const servicesDevices = [
      { images: 'group/*', devices: [device('/dev/kvm')] },
      { images: 'other', devices: [device('/dev/fuse')] },
    ]
    expect(optionsOf({ servicesDevices }).HostConfig?.Devices).toEqual([device('/dev/kvm')])
  })

  test('contain command, entrypoint, user and platform of the job', () => {
    const asked = { command: ['c'], entrypoint: ['e'], user: '1', platform: 'linux/arm64' }
    const expected = { Cmd: ['c'], Entrypoint: ['e'], User: '1', platform: 'linux/arm64' }
    expect(optionsOf({}, asked)).toMatchObject(expected)
  })

  test('shorten the health check interval while the job waits, and restore it afterwards', () => {
    const expected = { Interval: 2e9, StartPeriod: 60e9 }
    expect(optionsOf({ waitForServicesSeconds: 60 }).Healthcheck).toEqual(expected)
    expect(optionsOf({ waitForServicesSeconds: -1 })).not.toHaveProperty('Healthcheck')
  })
})

describe('probed service ports', () => {
  function portsOf(exposed: string[], environment: Record<string, string> = {}) {
    const ports = Object.fromEntries(exposed.map((port) => [port, {}]))
    const inspected = {
      State: { Running: true, ExitCode: 0 },
      NetworkSettings: { Networks: {} },
      Config: exposed.length > 0 ? { ExposedPorts: ports } : {},
    }
    return containerFacts(inspected as Parameters<typeof containerFacts>[0], environment).ports
  }

  test('are the lowest twenty TCP ports of the image', () => {
    expect(portsOf(['80/tcp', '53/udp', '9/tcp', '443/tcp'])).toEqual([9, 80, 443])
    const many = Array.from({ length: 30 }, (_, index) => `${100 - index}/tcp`)
    expect(portsOf(many)).toEqual(Array.from({ length: 20 }, (_, index) => 71 + index))
    expect(portsOf([])).toEqual([])
  })

  test('are the one in its environment', () => {
    expect(portsOf(['80/tcp'], { HEALTHCHECK_TCP_PORT: '8080' })).toEqual([8080])
    expect(portsOf(['80/tcp'], { HEALTHCHECK_TCP_PORT: 'x' })).toEqual([80])
  })
})

test('each line of a service gets its name, also in chunks, without line end or over the limit', async () => {
  const lines = new ServiceLines(['db', 'store'])
  lines.write('one\ntw')
  lines.write('o\n')
  lines.end('x'.repeat(64 * 1024 + 1))
  const named = (text: string) => `\x1b[0;37m[service:db-store] ${text}\x1b[0;m\n`
  const text = (await lines.toArray()).join('')
  expect(text).toBe([named('one'), named('two'), named('x'.repeat(64 * 1024)), named('x')].join(''))
})
