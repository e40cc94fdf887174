import { expect, test } from 'vitest'

import type { RunnerProfile } from '../../../../src/coordinator/ci/queue/match.js'
import type { WaitingRequest, Wake } from '../../../../src/coordinator/ci/queue/waiting-request.js'
import { WaitingRequests } from '../../../../src/coordinator/ci/queue/waiting-requests.js'

const LONG = 60_000

function runner(...tags: string[]): RunnerProfile {
  return {
    runnerId: 1,
    type: 'instance_type',
    active: true,
    tags: new Set(tags),
    runUntagged: tags.length === 0,
    protectedOnly: false,
    projectIds: new Set(),
    groupPath: undefined,
    weight: 0,
  }
}

function wakeFor(jobId: number, ...tags: string[]): Wake {
  return {
    job: {
      jobId,
      tags,
      projectId: 1,
      projectPath: 'group/project',
      protected: false,
      instanceRunnersAllowed: true,
      groupRunnersAllowed: true,
      priority: 0,
    },
    tried: new Set(),
    fromElsewhere: false,
  }
}

/** Requests whose unused wakes go to the next one, as the queue does while the job is there. */
function openRequests(): { requests: WaitingRequests; unused: number[] } {
  const unused: number[] = []
  const requests = new WaitingRequests((wake) => {
    if (!requests.wake(wake)) unused.push(wake.job.jobId)
  })
  return { requests, unused }
}

/** Closed at once, so that it does not hold up the end of the test. */
async function endOf(request: WaitingRequest): Promise<string> {
  const result = request.next(LONG)
  request.abort()
  return result
}

test('a job wakes the one request that fits, not the others', async () => {
  const { requests } = openRequests()
  const linux = requests.add(runner('linux'))
  const mac = requests.add(runner('mac'))
  const woken = mac.next(LONG)
  expect(requests.wake(wakeFor(1, 'mac'))).toBe(true)
  expect(await woken).toBe('woken')
  expect(await endOf(linux)).toBe('aborted')
})

test('a job that matches no waiting request wakes none', () => {
  const { requests } = openRequests()
  requests.add(runner('linux'))
  expect(requests.wake(wakeFor(1, 'mac'))).toBe(false)
})

test('two jobs wake two requests, the one that waits longest first', async () => {
  const { requests } = openRequests()
  const order: string[] = []
  const waits = ['a', 'b', 'c'].map((name) => ({ name, request: requests.add(runner()) }))
  const ends = waits.map(({ name, request }) => request.next(LONG).then(() => order.push(name)))
  requests.wake(wakeFor(1))
  requests.wake(wakeFor(2))
  await Promise.all(ends.slice(0, 2))
  expect(order).toEqual(['a', 'b'])
  requests.wakeAll()
  await Promise.all(ends)
})

test('a wake that comes while the request is still searching is not missed', async () => {
  const { requests } = openRequests()
  const request = requests.add(runner())
  expect(requests.wake(wakeFor(1))).toBe(true)
  expect(await request.next(LONG)).toBe('woken')
})

test('a request that waits is woken rather than one that is busy', async () => {
  const { requests } = openRequests()
  requests.add(runner())
  const waiting = requests.add(runner())
  const woken = waiting.next(LONG)
  requests.wake(wakeFor(1))
  expect(await woken).toBe('woken')
})

test('a request that is closed after its wake passes the wake on', async () => {
  const { requests, unused } = openRequests()
  const first = requests.add(runner())
  const second = requests.add(runner())
  const woken = [first.next(LONG), second.next(LONG)]
  requests.wake(wakeFor(1))
  await woken[0]
  first.close()
  expect(await woken[1]).toBe('woken')
  second.close()
  expect(unused).toEqual([1])
})

test('a request that is closed before it acts on a wake passes the wake on', async () => {
  const { requests } = openRequests()
  const first = requests.add(runner())
  const second = requests.add(runner())
  requests.wake(wakeFor(1))
  first.close()
  expect(await second.next(LONG)).toBe('woken')
})

test('a request that found something else passes the wake on', async () => {
  const { requests, unused } = openRequests()
  const request = requests.add(runner())
  requests.wake(wakeFor(1))
  await request.next(LONG)
  requests.discard(2)
  request.close()
  expect(unused).toEqual([1])
})

test('a wake whose job has left the queue is not passed on', async () => {
  const { requests, unused } = openRequests()
  const searching = requests.add(runner())
  requests.wake(wakeFor(1))
  await searching.next(LONG)
  const told = requests.add(runner())
  requests.wake(wakeFor(2))
  requests.discard(1)
  requests.discard(2)
  searching.close()
  expect(unused).toEqual([])
  expect(await endOf(told)).toBe('aborted')
})

test('a wake is not given twice to the same request', async () => {
  const { requests, unused } = openRequests()
  const request = requests.add(runner())
  requests.wake(wakeFor(1))
  await request.next(LONG)
  expect(await endOf(request)).toBe('aborted')
  expect(unused).toEqual([1])
})

test('a wait ends when its time is up, and the request may then be closed twice', async () => {
  const { requests } = openRequests()
  const request = requests.add(runner())
  expect(await request.next(1)).toBe('timeout')
  request.close()
  request.close()
  expect(requests.isEmpty).toBe(true)
})

test('a wait ends when its client is gone', async () => {
  const { requests } = openRequests()
  const request = requests.add(runner())
  expect(await endOf(request)).toBe('aborted')
  expect(await request.next(LONG)).toBe('aborted')
})

test('when waits end, requests that wait, that search and that come later wait no longer', async () => {
  const { requests } = openRequests()
  const [waiting, searching] = [requests.add(runner()), requests.add(runner())]
  const result = waiting.next(LONG)
  requests.endWaits()
  expect(await result).toBe('aborted')
  expect(await searching.next(LONG)).toBe('aborted')
  expect(await requests.add(runner()).next(LONG)).toBe('aborted')
})
