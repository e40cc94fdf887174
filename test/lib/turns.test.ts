import { expect, test } from 'vitest'

import { deferred } from '../../src/lib/deferred.js'
import { Turns } from '../../src/lib/turns.js'

test('a request that arrives alone is served at once', async () => {
  const turns = new Turns<string, number, number>((_key, take) => Promise.resolve(take().map((n) => n * 2)))
  expect(await turns.ask('key', 1)).toBe(2)
  expect(await turns.ask('key', 2)).toBe(4)
})

test('requests of one key that arrive during a turn share the next one, those of another do not wait', async () => {
  const served: { key: string; requests: readonly number[] }[] = []
  const first = deferred()
  const turns = new Turns<string, number, string>(async (key, take) => {
    const requests = take()
    served.push({ key, requests })
    if (requests.includes(1)) await first.promise
    return requests.map((request) => `${key} ${request}`)
  })
  const responses = [1, 2, 3].map((request) => turns.ask('a', request))
  expect(await turns.ask('b', 4)).toBe('b 4')
  first.resolve()
  expect(await Promise.all(responses)).toEqual(['a 1', 'a 2', 'a 3'])
  expect(served).toEqual([
    { key: 'a', requests: [1] },
    { key: 'b', requests: [4] },
    { key: 'a', requests: [2, 3] },
  ])
})

test('a turn has the requests that arrive before it begins, and keeps them when it begins again', async () => {
  const begin = deferred()
  const taken: (readonly number[])[] = []
  const turns = new Turns<string, number, number>(async (_key, take) => {
    await begin.promise
    taken.push(take())
    if (taken.length === 1) taken.push(take())
    return take()
  })
  const responses = [turns.ask('key', 1), turns.ask('key', 2)]
  begin.resolve()
  expect(await Promise.all(responses)).toEqual([1, 2])
  expect(taken).toEqual([
    [1, 2],
    [1, 2],
  ])
})

test('a turn leaves requests that it does not want to the next one', async () => {
  const begin = deferred()
  const served: (readonly number[])[] = []
  const turns = new Turns<string, number, number>(async (_key, take) => {
    const { length } = take()
    await begin.promise
    const requests = length === 1 ? take((request) => request % 2 === 1) : take()
    served.push(requests)
    return requests
  })
  const responses = [1, 2, 3, 4].map((request) => turns.ask('key', request))
  begin.resolve()
  expect(await Promise.all(responses)).toEqual([1, 2, 3, 4])
  expect(served).toEqual([
    [1, 3],
    [2, 4],
  ])
})

test('a turn has a maximum size', async () => {
  const sizes: number[] = []
  const turns = new Turns<string, number, number>(async (_key, take) => {
    await Promise.resolve()
    const requests = take()
    sizes.push(requests.length)
    return requests
  })
  const requests = Array.from({ length: 100 }, (_, index) => index)
  expect(await Promise.all(requests.map((request) => turns.ask('key', request)))).toEqual(requests)
  expect(sizes).toEqual([64, 36])
})

test('a request that cannot be served fails alone, and later ones are served', async () => {
  const turns = new Turns<string, number, number>(async (_key, take) => {
    await Promise.resolve()
    const requests = take()
    if (requests.includes(2)) throw new RangeError('2 is refused')
    return requests
  })
  const responses = await Promise.allSettled([1, 2, 3].map((request) => turns.ask('key', request)))
  expect(responses).toEqual([
    { status: 'fulfilled', value: 1 },
    { status: 'rejected', reason: new RangeError('2 is refused') },
    { status: 'fulfilled', value: 3 },
  ])
  expect(await turns.ask('key', 4)).toBe(4)
})

test('when no turn can begin, each request fails', async () => {
  const turns = new Turns<string, number, number>(() => Promise.reject(new RangeError('no connection')))
  const responses = await Promise.allSettled([1, 2].map((request) => turns.ask('key', request)))
  expect(responses.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})
