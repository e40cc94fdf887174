import { setImmediate as turn } from 'node:timers/promises'

import { expect, test } from 'vitest'

import { deferred } from '../../src/lib/deferred.js'
import { mapInOrder } from '../../src/lib/map-in-order.js'

async function collect<T>(results: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = []
  for await (const result of results) collected.push(result)
  return collected
}

test('results are returned in the order of the items', async () => {
  const gates = [deferred(), deferred(), deferred()]
  const results = collect(
    mapInOrder([0, 1, 2], 3, async (item) => {
      await gates[item]?.promise
      return item
    }),
  )
  for (const gate of gates.reverse()) {
    gate.resolve()
    await turn()
  }
  expect(await results).toEqual([0, 1, 2])
})

test('no more items than the limit are processed or buffered', async () => {
  let [open, most] = [0, 0]
  const results = mapInOrder(Array(50).fill(0), 4, async () => {
    most = Math.max(most, ++open)
    await turn()
  })
  while (!(await results.next()).done) {
    await turn()
    open--
  }
  expect(most).toBe(4 + 1)
})

test('a result is returned before the next item is available', async () => {
  const second = deferred<number>()
  async function* items() {
    yield 1
    yield await second.promise
  }
  const results = mapInOrder(items(), 4, async (item) => item)
  expect((await results.next()).value).toBe(1)
  second.resolve(2)
  expect(await collect(results)).toEqual([2])
})

test.each(['work', 'items'])(
  'a failure of the %s is thrown in order and ends the iteration',
  async (what) => {
    function* items() {
      yield 1
      if (what === 'items') throw new Error('broken')
      yield 2
      yield 3
    }
    const taken: number[] = []
    const results = mapInOrder(items(), 2, async (item) => {
      if (item === 2) throw new Error('broken')
      return item
    })
    await expect(
      (async () => {
        for await (const result of results) taken.push(result)
      })(),
    ).rejects.toThrow('broken')
    expect(taken).toEqual([1])
  },
)

test('a result for a closed consumer is discarded', async () => {
  const discarded: number[] = []
  const results = mapInOrder(
    [1, 2, 3, 4, 5],
    3,
    async (item) => item,
    (item) => void discarded.push(item),
  )
  for await (const result of results) {
    await turn()
    if (result === 1) break
  }
  expect(discarded).toEqual([2, 3, 4])
})
