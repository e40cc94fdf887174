import { expect, test } from 'vitest'

import { deferred } from '../../src/lib/deferred.js'
import { InTurn } from '../../src/lib/in-turn.js'

test('tasks of one key run one after another, also after a failure, and those of others do not wait', async () => {
  const turns = new InTurn()
  const seen: string[] = []
  const first = deferred<string>()
  const task = (name: string, ends: Promise<string>) => async () => {
    seen.push(name)
    return ends
  }
  const one = turns.run('a', task('one', first.promise))
  const two = turns.run('a', task('two', Promise.reject(new Error('failed'))))
  const three = turns.run('a', task('three', Promise.resolve('3')))
  expect(await turns.run('b', task('other', Promise.resolve('b')))).toBe('b')
  expect(seen).toEqual(['one', 'other'])
  first.resolve('1')
  expect(await one).toBe('1')
  await expect(two).rejects.toThrow('failed')
  expect(await three).toBe('3')
  expect(seen).toEqual(['one', 'other', 'two', 'three'])
})
