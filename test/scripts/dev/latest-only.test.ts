import { expect, test } from 'vitest'

import { LatestOnly } from '../../../scripts/dev/latest-only.mjs'
import { type Deferred, deferred } from '../../../src/lib/deferred.js'

/** Work whose turns end when the test says so. */
function gatedWork() {
  const begun: number[] = []
  const gates = new Map<number, Deferred<void>>()
  const gateOf = (value: number) => {
    const gate = gates.get(value) ?? deferred()
    gates.set(value, gate)
    return gate
  }
  const work = new LatestOnly(async (value: number) => {
    begun.push(value)
    await gateOf(value).promise
  })
  return { begun, work, end: (value: number) => gateOf(value).resolve() }
}

test('of the values that arrive while it works, the last one follows', async () => {
  const { begun, work, end } = gatedWork()
  work.add(1)
  work.add(2)
  work.add(3)
  expect(begun).toEqual([1])
  end(1)
  end(3)
  await expect.poll(() => begun).toEqual([1, 3])
})

test('stopping waits for what has begun, and forgets the rest', async () => {
  const { begun, work, end } = gatedWork()
  work.add(1)
  work.add(2)
  let hasStopped = false
  const stopped = work.stop().then(() => {
    hasStopped = true
  })
  await Promise.resolve()
  expect(hasStopped).toBe(false)
  end(1)
  await stopped
  expect(begun).toEqual([1])
})
