import { expect, test } from 'vitest'

import { chooseHost, type HostCandidate } from '../../../../src/runner/executor/docker/hosts/choose-host.js'
import { HostLoads } from '../../../../src/runner/executor/docker/hosts/host-loads.js'

const NOW = 1_000_000

function host(name: string, more: Partial<HostCandidate> = {}): HostCandidate {
  const idle = { weight: 1, concurrent: 4, running: 0, share: 0 }
  return { name, ...idle, hasImage: false, hasProject: false, failedAt: undefined, ...more }
}

test.each<[string, HostCandidate[], string | undefined]>([
  ['there is no host', [], undefined],
  ['no host has room', [host('a', { running: 4 })], undefined],
  ['one host has room', [host('a', { running: 4 }), host('b', { share: 9 })], 'b'],
  ['one is further behind its share', [host('a', { share: 5 }), host('b', { share: 4 })], 'b'],
  [
    'the share of a heavier host is larger',
    [host('a', { share: 4 }), host('b', { share: 3.5, weight: 2 })],
    'b',
  ],
  ['one has the image', [host('a'), host('b', { hasImage: true })], 'b'],
  [
    'one has the project, another the image',
    [host('a', { hasImage: true }), host('b', { hasProject: true })],
    'b',
  ],
  [
    'the warm one has a lead of a part of a job',
    [host('a', { share: 0.5 }), host('b', { share: 1, weight: 1, hasImage: true })],
    'b',
  ],
  ['the warm one has a lead of a whole job', [host('a'), host('b', { share: 1, hasImage: true })], 'a'],
  ['the warm one has no room', [host('a', { running: 4, hasImage: true }), host('b')], 'b'],
  ['one failed a moment ago', [host('a', { failedAt: NOW - 59_000 }), host('b', { share: 9 })], 'b'],
  ['one failed a minute ago', [host('a', { failedAt: NOW - 60_000 }), host('b', { share: 9 })], 'a'],
  ['only one that failed has room', [host('a', { failedAt: NOW }), host('b', { running: 4 })], 'a'],
  ['one is less busy', [host('a', { running: 1 }), host('b', { running: 1, concurrent: 8 })], 'b'],
  ['all are equal', [host('b'), host('a'), host('c')], 'a'],
])('if %s', (_case, candidates, expected) => {
  expect(chooseHost(candidates, NOW)).toBe(expected)
})

/** Places jobs that last `lasting` placements each. Returns the number of jobs by host. */
function spread(
  hosts: { name: string; weight: number; concurrent: number }[],
  jobs: number,
  lasting: number,
): Record<string, number> {
  const loads = new HostLoads()
  const placed = Object.fromEntries(hosts.map(({ name }) => [name, 0]))
  const running: { name: string; jobId: number }[] = []
  for (let jobId = 0; jobId < jobs; jobId++) {
    const candidates = hosts.map((each) => {
      const { jobs: own, share, images } = loads.of(each.name)
      return host(each.name, { ...each, running: own.size, share, hasImage: images.has('busybox') })
    })
    const name = chooseHost(candidates, NOW) ?? expect.fail('no host has room')
    loads.place(name, hosts.find((each) => each.name === name)?.weight ?? 1, [])
    loads.of(name).jobs.add(jobId)
    loads.of(name).images.add('busybox')
    placed[name] = (placed[name] ?? 0) + 1
    running.push({ name, jobId })
    const ended = running.length > lasting ? running.shift() : undefined
    if (ended) loads.of(ended.name).jobs.delete(ended.jobId)
  }
  return placed
}

test.each([
  [[1, 1, 1, 1], 0],
  [[1, 1, 1, 1], 8],
  [[1, 2, 3, 4], 0],
  [[1, 2, 3, 4], 8],
  [[10, 1, 1, 8], 5],
])('200 jobs over hosts of the weights %j are spread by these, with %i other jobs', (weights, lasting) => {
  const hosts = weights.map((weight, index) => ({ name: `host-${index}`, weight, concurrent: 20 }))
  const placed = spread(hosts, 200, lasting)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  for (const { name, weight } of hosts) {
    const fair = (200 * weight) / total
    expect(Math.abs((placed[name] ?? 0) - fair)).toBeLessThanOrEqual(0.1 * fair)
  }
})

test('a host that had no room for long gets a few jobs in a row at most', () => {
  const loads = new HostLoads()
  const busy = { name: 'busy', weight: 1 }
  loads.of('busy')
  for (let job = 0; job < 100; job++) loads.place('free', 1, [busy])
  expect(loads.of('free').share - loads.of('busy').share).toBeLessThanOrEqual(9)
})
