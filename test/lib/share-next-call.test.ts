import { expect, onTestFinished, test, vi } from 'vitest'

import { deferred } from '../../src/lib/deferred.js'
import { shareNextCall } from '../../src/lib/share-next-call.js'

test('callers during a running call share the next one', async () => {
  const gates = [deferred<string>(), deferred<string>()]
  let calls = 0
  const ask = shareNextCall(async () => gates[calls++]?.promise)

  const first = ask()
  await Promise.resolve()
  const [second, third] = [ask(), ask()]
  await Promise.resolve()
  expect(calls).toBe(1)
  gates[0]?.resolve('before')
  gates[1]?.resolve('after')
  expect(await Promise.all([first, second, third])).toEqual(['before', 'after', 'after'])
  expect(calls).toBe(2)
})

test('a failed call rejects only its own callers', async () => {
  let calls = 0
  const ask = shareNextCall(async () => {
    if (++calls === 1) throw new Error('gone')
    return 'there again'
  })
  await expect(Promise.all([ask(), ask()])).rejects.toThrow('gone')
  expect(await ask()).toBe('there again')
})

test('a hanging call blocks only its own callers', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  let calls = 0
  const ask = shareNextCall(async () => (++calls === 1 ? new Promise<never>(() => undefined) : 'there'))
  void ask()
  await vi.advanceTimersByTimeAsync(0)
  const second = ask()
  await vi.advanceTimersByTimeAsync(1000)
  expect(await second).toBe('there')
})
