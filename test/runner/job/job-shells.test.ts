import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import type { EnvironmentInterior } from '../../../src/runner/executor/executor.js'
import { JobShells } from '../../../src/runner/job/job-shells.js'

const INTERIOR: EnvironmentInterior = {
  name: 'here',
  hold: async () => {},
  shell: () => Promise.reject(new Error('none')),
  endShells: async () => {},
}

const wanted = (id: string) => ({ id, command: [], columns: 0, rows: 0 })

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})

afterEach(() => {
  vi.useRealTimers()
})

function openShells() {
  const opened: unknown[] = []
  const shells = new JobShells(
    ({ id }, { interior, signal }) => opened.push([id, interior?.name, signal.aborted]),
    () => true,
  )
  return { opened, shells }
}

test('a shell that is wanted before the container is there opens with it, once', async () => {
  const { opened, shells } = openShells()
  shells.receive([wanted('one')])
  shells.receive([wanted('one')])
  await vi.advanceTimersByTimeAsync(14_000)
  expect(opened).toEqual([])
  shells.enter(INTERIOR)
  await vi.advanceTimersByTimeAsync(0)
  expect(opened).toEqual([['one', 'here', false]])
  shells.receive([wanted('two')])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(opened).toEqual([
    ['one', 'here', false],
    ['two', 'here', false],
  ])
  expect(vi.getTimerCount()).toBe(0)
})

test('a shell waits for a container only for a while, and until the job has ended', async () => {
  const { opened, shells } = openShells()
  shells.receive([wanted('one')])
  await vi.advanceTimersByTimeAsync(15_000)
  expect(opened).toEqual([['one', undefined, false]])
  shells.receive([wanted('two')])
  shells.end()
  await vi.advanceTimersByTimeAsync(0)
  expect(opened).toEqual([
    ['one', undefined, false],
    ['two', undefined, true],
  ])
})
