import { expect, test } from 'vitest'

import { sortTasks, type Task, taskState, taskTitle } from '../../src/web/pages/admin/overview/task-states.js'

const NOW = Date.parse('2026-03-02T10:00:00Z')
test('a task is named in words', () => {
  expect(taskTitle('delete-old-logs')).toBe('Delete old logs')
})

const DONE: Task = {
  name: 'sweep',
  every: 600,
  started_at: '2026-03-02T09:55:00Z',
  duration: 2,
  running: false,
  error: null,
}

test.each([
  [{}, 'done'],
  [{ error: 'disk full' }, 'failed'],
  [{ running: true }, 'running'],
  [{ started_at: null, duration: null }, 'waiting'],
  [{ started_at: '2026-03-02T09:39:30Z' }, 'done'],
  [{ started_at: '2026-03-02T09:38:00Z' }, 'late'],
  [{ started_at: '2026-03-02T09:38:00Z', duration: 120 }, 'done'],
])('a task with %j is %s', (changes, state) => {
  expect(taskState({ ...DONE, ...changes }, NOW)).toBe(state)
})

test('tasks with problems come first', () => {
  const tasks = [
    { ...DONE, name: 'b' },
    { ...DONE, name: 'a' },
    { ...DONE, name: 'late', started_at: '2026-03-02T08:00:00Z' },
    { ...DONE, name: 'z', error: 'disk full' },
  ]
  expect(sortTasks(tasks, NOW).map(({ task }) => task.name)).toEqual(['z', 'late', 'a', 'b'])
})
