import { setImmediate as turn } from 'node:timers/promises'

import { expect, test } from 'vitest'

import { TaskGroup } from '../../src/lib/task-group.js'

test('concurrency is limited, and finish waits for all tasks', async () => {
  const tasks = new TaskGroup(3)
  let [running, most, done] = [0, 0, 0]
  for (let count = 0; count < 20; count++) {
    await tasks.untilRoom()
    tasks.start(async () => {
      most = Math.max(most, ++running)
      await turn()
      running--
      done++
    })
  }
  await tasks.finish()
  expect({ most, done }).toEqual({ most: 3, done: 20 })
})

test('a failure is thrown to the starter, or by finish after all tasks have ended', async () => {
  const tasks = new TaskGroup(3)
  let isDone = false
  tasks.start(async () => {
    throw new Error('broken')
  })
  tasks.start(async () => {
    await turn()
    isDone = true
  })
  await expect(tasks.finish()).rejects.toThrow('broken')
  expect(isDone).toBe(true)
  await expect(tasks.untilRoom()).rejects.toThrow('broken')
})
