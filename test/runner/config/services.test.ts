import { describe, expect, test } from 'vitest'

import { readSettings } from '../../../src/runner/config/read-settings.js'

function dockerSettings(docker: Record<string, unknown>) {
  const entry = { url: 'http://127.0.0.1', token: 't', executor: 'docker', docker: { image: 'x', ...docker } }
  const { settings, warnings } = readSettings({ runners: [entry] }, 'config.toml', {})
  expect(warnings).toEqual([])
  return settings.runners[0]?.docker
}

describe('service settings', () => {
  test('are read in all forms of the protocol', () => {
    const service = {
      name: 'redis:7',
      alias: 'cache',
      command: ['c'],
      entrypoint: ['e'],
      environment: ['A=b=c'],
    }
    expect(
      dockerSettings({
        services: [service, { name: 'db' }],
        services_limit: -1,
        wait_for_services_timeout: -5,
        allowed_services: ['a/*'],
        services_privileged: false,
        allowed_privileged_services: ['b'],
        services_security_opt: ['label=disable'],
        services_tmpfs: { '/var/lib': 'rw,size=1g' },
        services_devices: { 'qemu/*': ['/dev/kvm', '/dev/a:/dev/b:r'] },
        service_gpus: 'all',
        service_memory: '512m',
        service_memory_swap: '-1',
        service_cpus: '1.5',
        service_memory_reservation: '1k',
        service_cpuset_cpus: '0',
        service_cpu_shares: 9,
        service_cgroup_parent: 'p',
        network_mtu: 1400,
        enable_ipv6: true,
      }),
    ).toMatchObject({
      services: [
        {
          name: 'redis:7',
          alias: 'cache',
          command: ['c'],
          entrypoint: ['e'],
          environment: [{ key: 'A', value: 'b=c', public: true }],
        },
        { name: 'db', alias: undefined, environment: [] },
      ],
      servicesLimit: -1,
      waitForServicesSeconds: -5,
      allowedServices: ['a/*'],
      servicesPrivileged: false,
      allowedPrivilegedServices: ['b'],
      servicesSecurityOpt: ['label=disable'],
      servicesTmpfs: { '/var/lib': 'rw,size=1g' },
      servicesDevices: [
        {
          images: 'qemu/*',
          devices: [
            { PathOnHost: '/dev/kvm', PathInContainer: '/dev/kvm', CgroupPermissions: 'rwm' },
            { PathOnHost: '/dev/a', PathInContainer: '/dev/b', CgroupPermissions: 'r' },
          ],
        },
      ],
      serviceGpus: { Count: -1 },
      serviceMemory: 536870912,
      serviceMemorySwap: -1,
      serviceCpus: 1.5,
      serviceMemoryReservation: 1024,
      serviceCpusetCpus: '0',
      serviceCpuShares: 9,
      serviceCgroupParent: 'p',
      networkMtu: 1400,
      enableIpv6: true,
    })
  })

  test.each<[Record<string, unknown>, RegExp]>([
    [{ services: 'redis' }, /docker\.services must be a list of tables/],
    [{ services: [{}] }, /docker\.services\[0\]\.name is missing/],
    [{ services: [{ name: 'a', environment: ['b'] }] }, /docker\.services\[0\]\.environment must hold/],
    [{ service_memory: 'lots' }, /docker\.service_memory must be a memory size such as "512m"/],
    [{ service_cpus: 'many' }, /docker\.service_cpus must be a number of processors/],
    [{ service_gpus: 'some' }, /docker\.service_gpus must be such as "all"/],
    [{ services_devices: { a: ['kvm'] } }, /docker\.services_devices must hold devices/],
    [{ services_devices: { a: 'kvm' } }, /docker\.services_devices must be a table of lists of strings/],
    [{ services_tmpfs: { a: 1 } }, /docker\.services_tmpfs must be a table of strings/],
    [
      { services_security_opt: ['seccomp=/no/such'] },
      /docker\.services_security_opt names the seccomp profile/,
    ],
    [{ network_mtu: -1 }, /docker\.network_mtu must be a whole number/],
  ])('are rejected for %j', (docker, expected) => {
    expect(() => dockerSettings(docker)).toThrow(expected)
  })
})
