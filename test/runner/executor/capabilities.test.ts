import { describe, expect, test } from 'vitest'

import {
  capabilitiesOf,
  type EngineResponses,
  jobLogDriver,
} from '../../../src/runner/executor/docker/capabilities/capabilities.js'
import {
  abilitiesOf,
  type EngineProbes,
  settingCosts,
} from '../../../src/runner/executor/docker/capabilities/engine-report.js'
import type { DockerExecutorSettings } from '../../../src/runner/executor/docker/settings.js'

/** The parts that count of what the engines of Debian 12 respond. */
const DOCKER: EngineResponses = {
  version: {
    Version: '20.10.24+dfsg1',
    ApiVersion: '1.41',
    Components: [{ Name: 'Engine', Version: '20.10.24+dfsg1' }],
  },
  info: {
    Driver: 'overlay2',
    CgroupVersion: '2',
    MemTotal: 1000,
    MemoryLimit: true,
    SwapLimit: true,
    PidsLimit: true,
    CpuCfsQuota: true,
    CPUSet: true,
    SecurityOptions: ['name=seccomp,profile=default', 'name=cgroupns'],
    Plugins: { Log: ['awslogs', 'json-file', 'local', 'syslog'] },
  },
}
const PODMAN: EngineResponses = {
  version: {
    Version: '4.3.1',
    ApiVersion: '1.41',
    Components: [
      { Name: 'Podman Engine', Version: '4.3.1' },
      { Name: 'Conmon', Version: 'conmon version 2.1.6, commit: unknown' },
    ],
  },
  info: {
    ...DOCKER.info,
    Driver: 'overlay',
    SecurityOptions: ['name=seccomp,profile=default'],
    Plugins: { Log: ['k8s-file', 'none', 'passthrough', 'journald'] },
  },
  libpod: { host: { networkBackend: 'netavark', security: { rootless: false } } },
}
const ROOTLESS: EngineResponses = {
  ...PODMAN,
  info: {
    ...PODMAN.info,
    CgroupVersion: '1',
    SecurityOptions: ['name=seccomp,profile=default', 'name=rootless'],
  },
}
const SETTINGS: DockerExecutorSettings = { image: 'alpine', runnerShortToken: 'abc', systemId: 's_1' }
const WELL: EngineProbes = {
  init: true,
  network: true,
  files: { isShared: true, reason: 'it sees them' },
  metadata: undefined,
  isLocal: true,
}

describe('the capabilities of an engine', () => {
  test('of Docker', () => {
    expect(capabilitiesOf(DOCKER)).toMatchObject({
      product: 'Docker Engine',
      version: '20.10.24+dfsg1',
      isRootless: false,
      mapsUsers: false,
      cgroupVersion: 2,
      resolvesNames: true,
      memory: 1000,
    })
    expect(jobLogDriver(capabilitiesOf(DOCKER))).toBe('local')
  })

  test('of Docker with a map of users, and of Docker without root', () => {
    const withOptions = (...options: string[]) =>
      capabilitiesOf({ ...DOCKER, info: { ...DOCKER.info, SecurityOptions: options } })
    expect(withOptions('name=userns')).toMatchObject({ isRootless: false, mapsUsers: true })
    expect(withOptions('name=rootless')).toMatchObject({ isRootless: true, mapsUsers: true })
  })

  test('of Podman, with and without root', () => {
    expect(capabilitiesOf(PODMAN)).toMatchObject({
      product: 'Podman Engine',
      version: '4.3.1',
      isRootless: false,
      resolvesNames: true,
    })
    expect(jobLogDriver(capabilitiesOf(PODMAN))).toBe('json-file')
    expect(capabilitiesOf(ROOTLESS)).toMatchObject({
      isRootless: true,
      mapsUsers: true,
      limits: { memory: false, swap: false, processes: false, cpus: false, cpuset: false },
    })
    const delegated = (cgroupControllers: string[] | null) =>
      capabilitiesOf({
        ...ROOTLESS,
        info: { ...ROOTLESS.info, CgroupVersion: '2' },
        libpod: { host: { cgroupControllers } },
      }).limits
    expect(delegated(['memory', 'pids'])).toEqual({
      memory: true,
      swap: true,
      processes: true,
      cpus: false,
      cpuset: false,
    })
    expect(Object.values(delegated(null))).toEqual([false, false, false, false, false])
    const old = capabilitiesOf({ ...PODMAN, libpod: { host: { networkBackend: 'cni' } } })
    expect(old.resolvesNames).toBe(false)
  })

  test('an engine that says little gets the benefit of the doubt', () => {
    const engine = capabilitiesOf({ version: {}, info: {} })
    expect(engine).toMatchObject({ product: 'Docker Engine', version: 'unknown', memory: undefined })
    expect(Object.values(engine.limits)).toEqual([true, true, true, true, true])
    expect(jobLogDriver(engine)).toBe('local')
  })
})

describe('the report about an engine', () => {
  const missing = (engine: EngineResponses, probes: EngineProbes) =>
    abilitiesOf(capabilitiesOf(engine), probes)
      .filter(({ holds }) => holds !== 'yes')
      .map(({ name, holds }) => `${name}: ${holds}`)

  test('names what is missing', () => {
    expect(missing(DOCKER, WELL)).toEqual([])
    expect(missing(PODMAN, { ...WELL, init: false, network: 'no addresses' })).toEqual([
      'init process: no',
      'network for each job: no',
    ])
    expect(missing(ROOTLESS, { ...WELL, init: undefined, files: undefined, metadata: 'no root' })).toEqual([
      'init process: unknown',
      'memory limits: no',
      'process limits: no',
      'file sharing: unknown',
      'block of metadata addresses: no',
    ])
    expect(missing(DOCKER, { ...WELL, isLocal: false })).toEqual(['free disk space: no'])
  })

  test('says from where services are checked', () => {
    const text = (engine: EngineResponses, isLocal: boolean) =>
      abilitiesOf(capabilitiesOf(engine), { ...WELL, isLocal }).find(
        ({ name }) => name === 'readiness of services',
      )?.text
    expect(text(DOCKER, true)).toBe('checked from here')
    for (const elsewhere of [text(DOCKER, false), text(ROOTLESS, true)])
      expect(elsewhere).toContain('from a container')
  })

  test('names the settings without effect as errors, and the others with a cost as warnings', () => {
    const costs = (engine: EngineResponses, settings: Partial<DockerExecutorSettings>) =>
      settingCosts(capabilitiesOf(engine), { ...SETTINGS, ...settings }).map(
        ({ level, setting }) => `${level} ${setting}`,
      )
    const settings = { memory: 5, serviceCpus: 1, cpusetCpus: '0', pidsLimit: 0, workspace: 'bind' } as const
    expect(costs(DOCKER, settings)).toEqual([])
    expect(costs(ROOTLESS, settings)).toEqual([
      'error memory',
      'error service_cpus',
      'error cpuset_cpus',
      'warning workspace',
    ])
    const host = { networkMode: 'host', privileged: true } as const
    expect(costs(ROOTLESS, host)).toEqual(['warning privileged', 'warning network_mode'])
  })
})
