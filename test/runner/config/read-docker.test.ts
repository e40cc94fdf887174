import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { parse } from 'smol-toml'
import { describe, expect, test } from 'vitest'

import type { SettingsError } from '../../../src/runner/client/errors.js'
import { readSettings } from '../../../src/runner/config/read-settings.js'
import { containerOptions } from '../../../src/runner/executor/docker/containers/container-options.js'
import { executorJob, PLACE } from '../../support/executor-job.js'
import { tempDir } from '../../support/temp-dir.js'

const ENTRY =
  '[[runners]]\nurl = "http://a"\ntoken = "t"\nexecutor = "docker"\n[runners.docker]\nimage = "own:1"\n'

function read(lines: string) {
  return readSettings(parse(ENTRY + lines), 'config.toml', {})
}

function optionsFor(lines: string, name?: string) {
  const { settings, warnings } = read(lines)
  expect(warnings).toEqual([])
  const docker = settings.runners[0]?.docker ?? { image: '' }
  return containerOptions({
    settings: { ...docker, runnerShortToken: 'abc', systemId: 's_1' },
    job: executorJob({
      image: name === undefined ? undefined : { name },
      expand: (text) => text.replace('$CI_PROJECT_NAME', 'app'),
    }),
    place: PLACE,
    markToken: 'ab12',
    imageId: 'sha256:1',
    withInit: true,
  })
}

describe('Docker settings', () => {
  test.each<[string, object]>([
    ['memory = "512m"', { Memory: 536870912 }],
    ['memory_swap = "1g"', { MemorySwap: 1073741824 }],
    ['memory_swap = "-1"', { MemorySwap: -1 }],
    ['memory_reservation = "64kb"', { MemoryReservation: 65536 }],
    ['cpus = "1.5"', { NanoCpus: 1500000000 }],
    ['cpuset_cpus = "0-1,3"', { CpusetCpus: '0-1,3' }],
    ['cpuset_mems = "0"', { CpusetMems: '0' }],
    ['cpu_shares = 512', { CpuShares: 512 }],
    ['cgroup_parent = "/jobs"', { CgroupParent: '/jobs' }],
    ['oom_kill_disable = true', { OomKillDisable: true }],
    ['oom_score_adjust = -500', { OomScoreAdj: -500 }],
    [
      'ulimit = { nofile = "1024:2048", core = "0", memlock = "-1" }',
      {
        Ulimits: [
          { Name: 'nofile', Soft: 1024, Hard: 2048 },
          { Name: 'core', Soft: 0, Hard: 0 },
          { Name: 'memlock', Soft: -1, Hard: -1 },
        ],
      },
    ],
    ['shm_size = 1000', { ShmSize: 1000 }],
    ['gpus = "all"', { DeviceRequests: [{ Driver: '', Count: -1, Capabilities: [['gpu']] }] }],
    ['gpus = "2"', { DeviceRequests: [{ Count: 2, DeviceIDs: [] }] }],
    ['gpus = "device=0,1"', { DeviceRequests: [{ Count: 0, DeviceIDs: ['0', '1'] }] }],
    [
      `gpus = '"device=0,GPU-1",driver=nvidia,"capabilities=compute,utility"'`,
      {
        DeviceRequests: [
          { Driver: 'nvidia', DeviceIDs: ['0', 'GPU-1'], Capabilities: [['gpu', 'compute', 'utility']] },
        ],
      },
    ],
    [
      'devices = ["/dev/kvm", "/dev/a:/dev/b", "/dev/c:r", "/dev/d:/dev/e:rw"]',
      {
        Devices: [
          { PathOnHost: '/dev/kvm', PathInContainer: '/dev/kvm', CgroupPermissions: 'rwm' },
          { PathOnHost: '/dev/a', PathInContainer: '/dev/b', CgroupPermissions: 'rwm' },
          { PathOnHost: '/dev/c', PathInContainer: '/dev/c', CgroupPermissions: 'r' },
          { PathOnHost: '/dev/d', PathInContainer: '/dev/e', CgroupPermissions: 'rw' },
        ],
      },
    ],
    ['device_cgroup_rules = ["c 1:3 mr", "b 8:* rwm"]', { DeviceCgroupRules: ['c 1:3 mr', 'b 8:* rwm'] }],
    ['cap_add = ["NET_ADMIN"]', { CapAdd: ['NET_ADMIN'] }],
    ['cap_drop = ["ALL"]', { CapDrop: ['ALL'] }],
    ['security_opt = ["seccomp=unconfined"]', { SecurityOpt: ['no-new-privileges', 'seccomp=unconfined'] }],
    ['security_opt = ["no-new-privileges:false"]', { SecurityOpt: ['no-new-privileges:false'] }],
    ['privileged = true', { Privileged: true, SecurityOpt: [] }],
    ['userns_mode = "host"', { UsernsMode: 'host' }],
    ['group_add = ["docker"]', { GroupAdd: ['docker'] }],
    ['runtime = "runsc"', { Runtime: 'runsc' }],
    ['isolation = "hyperv"', { Isolation: 'hyperv' }],
    ['sysctls = { "net.core.somaxconn" = "1024" }', { Sysctls: { 'net.core.somaxconn': '1024' } }],
    ['pid_mode = "host"', { PidMode: 'host' }],
    ['ipcmode = "private"', { IpcMode: 'private' }],
    ['tmpfs = { "/tmp" = "rw,noexec" }', { Tmpfs: { '/tmp': 'rw,noexec' } }],
    ['volumes_from = ["other:ro"]', { VolumesFrom: ['other:ro'] }],
    ['volume_driver = "nfs"', { VolumeDriver: 'nfs' }],
    ['network_mode = "host"', { NetworkMode: 'host' }],
    ['links = ["db:db"]', { Links: ['db:db'] }],
    ['extra_hosts = ["a:10.0.0.1", "b:::1"]', { ExtraHosts: ['a:10.0.0.1', 'b:::1'] }],
    ['dns = ["10.0.0.53", "fd00::53"]', { Dns: ['10.0.0.53', 'fd00::53'] }],
    ['dns_search = ["example.com"]', { DnsSearch: ['example.com'] }],
    [
      'volumes = ["/a:/b:ro", "/c:/d:ro:z,rslave", "named:/e", "/f:$CI_PROJECT_NAME/g", "/h:.././i"]',
      {
        Binds: ['/a:/b:ro', '/c:/d:ro,z,rslave', 'named:/e', '/f:/builds/g/p/app/g', '/h:/builds/g/i'],
      },
    ],
  ])('%s is passed to the engine', (lines, expected) => {
    expect(optionsFor(lines).HostConfig).toMatchObject(expected)
  })

  test.each<[string, object]>([
    ['hostname = "builder"', { Hostname: 'builder' }],
    ['mac_address = "92:d0:c6:0a:29:33"', { MacAddress: '92:d0:c6:0a:29:33' }],
    ['user = "1000:1000"', { User: '1000:1000' }],
    ['container_labels = { app = "of $CI_PROJECT_NAME" }', { Labels: { app: 'of app' } }],
  ])('%s is passed to the container', (lines, expected) => {
    expect(optionsFor(lines)).toMatchObject(expected)
  })

  test('init = false disables the init process', () => {
    expect(optionsFor('').HostConfig).toHaveProperty('Init', true)
    expect(optionsFor('init = false').HostConfig).not.toHaveProperty('Init')
  })

  test.each([
    ['build/*', 'build/base:1', true],
    ['build/*', 'other/base:1', false],
    ['own:*', undefined, true],
  ])('privileged for %j makes the image %j privileged: %j', (pattern, image, privileged) => {
    const options = optionsFor(`privileged = true\nallowed_privileged_images = ["${pattern}"]`, image)
    expect(options.HostConfig?.Privileged).toBe(privileged)
    expect(options.HostConfig?.SecurityOpt).toEqual(privileged ? [] : ['no-new-privileges'])
  })

  test('security_opt is given the content of a seccomp profile', async () => {
    const file = join(await tempDir(), 'profile.json')
    await writeFile(file, '{\n  "defaultAction": "SCMP_ACT_ALLOW"\n}')
    const { HostConfig: host } = optionsFor(`security_opt = ["seccomp=${file}"]`)
    expect(host?.SecurityOpt).toEqual(['no-new-privileges', 'seccomp={"defaultAction":"SCMP_ACT_ALLOW"}'])
  })

  test('helper_image is accepted and reported as having no effect', () => {
    expect(read('helper_image = "helper:1"').warnings).toEqual([
      'runners[0].docker.helper_image has no effect on this runner',
    ])
  })
})

test('all problems are listed at once', () => {
  const lines = `
    host = "here"
    tls_verify = true
    tls_cert_path = "/nowhere"
    memory = "lots"
    memory_swap = "-2"
    cpus = "none"
    cpuset_cpus = "first"
    ulimit = { nofile = "many" }
    gpus = "some"
    devices = ["kvm", "/dev/a:x:y"]
    device_cgroup_rules = ["everything"]
    security_opt = ["seccomp=/nowhere.json"]
    volumes = ["/:/", "/a:/", "/..", "a/b:/c", "/a:/b:rx", ""]
    cache_dir = "cache"
    hostname = "not a name"
    mac_address = "no"
    extra_hosts = ["nobody"]
    dns = ["dns.example.com"]
    sysctls = { a = 1 }
    privileged = "yes"`
  let problems: string[] = []
  try {
    read(lines)
  } catch (error) {
    problems = (error as SettingsError).problems.map((text) => text.replace('runners[0].docker.', ''))
  }
  expect(problems).toEqual([
    'tls_cert_path is /nowhere, which does not contain ca.pem and cert.pem and key.pem',
    'host must be an address such as unix:///run/docker.sock, tcp://10.0.0.7:2376 or ssh://user@machine, not "here"',
    'memory must be a memory size such as 512m, not "lots"',
    'memory_swap must be a memory size such as 512m, or -1, not "-2"',
    'cpus must be a number of processors such as 1.5, not "none"',
    'cpuset_cpus must be a set of processors such as 0-2,4, not "first"',
    'ulimit.nofile must be a limit such as 1024 or 1024:2048, not "many"',
    'gpus must be all, a number, or "device=0,1", not "some"',
    'devices must hold devices such as /dev/kvm:/dev/kvm:rwm, not "kvm"',
    'devices must hold devices such as /dev/kvm:/dev/kvm:rwm, not "/dev/a:x:y"',
    'device_cgroup_rules must hold rules such as "c 1:3 mr", not "everything"',
    'privileged must be true or false',
    'security_opt names the seccomp profile /nowhere.json, which cannot be read: ' +
      "ENOENT: no such file or directory, open '/nowhere.json'",
    'sysctls must be a table of strings',
    ...['/:/', '/a:/', '/..', 'a/b:/c', '/a:/b:rx', ''].map(
      (text) =>
        `volumes must hold volumes such as /cache or /srv/data:/data:ro, none of them at "/", not "${text}"`,
    ),
    'cache_dir must be an absolute path, not "cache"',
    'hostname must be a host name, not "not a name"',
    'mac_address must be a MAC address such as 92:d0:c6:0a:29:33, not "no"',
    'extra_hosts must hold entries of the form name:address, not "nobody"',
    'dns must hold IP addresses, not "dns.example.com"',
  ])
})
