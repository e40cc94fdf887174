import { expect, test } from 'vitest'

import type { DockerExecutorSettings } from '../../../src/runner/executor/docker/settings.js'
import type { ExecutorJob } from '../../../src/runner/executor/executor.js'
import { busyboxImage } from '../../support/docker-image.js'
import { sampled } from '../../support/nightly.js'
import { openBench, runScripts } from './docker-jobs.js'

const SETTINGS: [string, Partial<DockerExecutorSettings>, string, RegExp][] = [
  ['hostname', { hostname: 'builder' }, 'hostname', /^builder$/m],
  ['mac_address', { macAddress: '92:d0:c6:0a:29:33' }, 'ip link show eth0', /92:d0:c6:0a:29:33/],
  ['user', { user: '1000:1001' }, 'id', /uid=1000\S* gid=1001/],
  ['group_add', { groupAdd: ['1234'] }, 'id', /groups=\S*1234/],
  ['cap_drop', { capDrop: ['ALL'] }, 'grep CapEff /proc/self/status', /CapEff:\s+0000000000000000/],
  [
    'cap_add',
    { capDrop: ['ALL'], capAdd: ['NET_RAW'] },
    'grep CapEff /proc/self/status',
    /CapEff:\s+0{12}2000/,
  ],
  ['ulimit', { ulimit: [{ Name: 'nofile', Soft: 123, Hard: 456 }] }, 'ulimit -n; ulimit -Hn', /123\n456/],
  ['shm_size', { shmSize: 2 * 1024 ** 2 }, 'df -k /dev/shm | tail -1', /shm\s+2048/],
  ['tmpfs', { tmpfs: { '/scratch': 'size=1m' } }, 'df -k /scratch | tail -1', /tmpfs\s+1024/],
  [
    'sysctls',
    { sysctls: { 'net.ipv4.ip_default_ttl': '33' } },
    'cat /proc/sys/net/ipv4/ip_default_ttl',
    /^33$/m,
  ],
  ['extra_hosts', { extraHosts: ['db.test:10.9.8.7'] }, 'grep db.test /etc/hosts', /10\.9\.8\.7/],
  [
    'dns',
    { dns: ['10.9.8.7'], dnsSearch: ['a.test'] },
    'cat /etc/resolv.conf',
    /search a\.test\nnameserver 10\.9\.8\.7/,
  ],
  ['oom_score_adjust', { oomScoreAdjust: 500 }, 'cat /proc/self/oom_score_adj', /^500$/m],
  ['init', { init: false }, 'cat /proc/1/comm', /^(?:sh|busybox)$/m],
  [
    'security_opt',
    { securityOpt: ['no-new-privileges=false'] },
    'grep NoNewPrivs /proc/self/status',
    /NoNewPrivs:\s+0/,
  ],
  [
    'allowed_privileged_images',
    { privileged: true, allowedPrivilegedImages: ['other:*'] },
    'grep NoNewPrivs /proc/self/status',
    /NoNewPrivs:\s+1/,
  ],
]

test.each(sampled(SETTINGS, 4))(
  'the setting %s has its effect in the container',
  async (_, settings, script, expected) => {
    const bench = await openBench({ image: await busyboxImage(), ...settings })
    expect((await runScripts(bench, [script])).text).toMatch(expected)
  },
)

test('the limits of memory and processors are those of the container', async () => {
  const limits = { memory: 64 * 1024 ** 2, memorySwap: 64 * 1024 ** 2, cpus: 0.5, cpusetCpus: '0' }
  const bench = await openBench({ image: await busyboxImage(), ...limits })
  const { text } = await runScripts(bench, [
    'cat /sys/fs/cgroup/memory.max /sys/fs/cgroup/memory/memory.limit_in_bytes 2>/dev/null; ' +
      'grep Cpus_allowed_list /proc/self/status',
  ])
  expect(text).toMatch(/^67108864$/m)
  expect(text).toMatch(/Cpus_allowed_list:\s+0$/m)
})

test('variables of more than a megabyte reach the script', async () => {
  const bench = await openBench({ image: await busyboxImage() })
  const big = Object.fromEntries(
    Array.from({ length: 12 }, (_, index) => [`BIG_${index}`, '%'.repeat(100_000)]),
  )
  const { text } = await runScripts(bench, ['echo "${#BIG_0} ${#BIG_11}"'], { environment: big })
  expect(text).toContain('100000 100000')
})

test.each<[string, Partial<ExecutorJob>, string]>([
  ['the user of the job', { image: { name: '', executor_opts: { docker: { user: 1000 } } } }, 'uid=1000'],
  [
    'a user that is named by a variable',
    {
      image: { name: '', executor_opts: { docker: { user: '$WHO' } } },
      expand: (text) => text.replace('$WHO', 'builder'),
    },
    'uid=1000(builder)',
  ],
])('%s runs its script', async (_, job, expected) => {
  const bench = await openBench({ image: await busyboxImage() })
  expect((await runScripts(bench, ['id'], job)).text).toContain(expected)
})

test('a user that the runner does not allow is rejected, the user of the image is not', async () => {
  const bench = await openBench({ image: await busyboxImage(), allowedUsers: ['1000'] })
  const image = { name: '', executor_opts: { docker: { user: 'root' } } }
  await expect(runScripts(bench, ['id'], { image })).rejects.toMatchObject({
    reason: 'runner_configuration_error',
    message: 'The runner does not allow the user "root" of the job; allowed: "1000"',
  })
  expect((await runScripts(bench, ['id'])).text).toContain('uid=0')
})
