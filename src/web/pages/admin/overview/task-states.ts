import type { AdminOverview } from '../../../../coordinator/instance/overview/schema.js'

export type Task = AdminOverview['tasks'][number]

export type TaskState = 'failed' | 'late' | 'running' | 'waiting' | 'done'

/** A run may start this many times its interval after the last one, and a minute, before it is late. */
const LATE_FACTOR = 2
const LATE_SECONDS = 60

/**
 * The state of a periodic task: late if its last run ended long before the next one is due.
 * @param now in milliseconds since 1970
 */
export function taskState(
  { error, running, started_at: start, duration, every }: Task,
  now: number,
): TaskState {
  if (error !== null) return 'failed'
  if (running) return 'running'
  if (start === null) return 'waiting'
  const seconds = (now - Date.parse(start)) / 1000 - (duration ?? 0)
  return seconds > LATE_FACTOR * every + LATE_SECONDS ? 'late' : 'done'
}

const ORDER: TaskState[] = ['failed', 'late', 'running', 'waiting', 'done']

/** Tasks with what an administrator should look at first, then by name. */
export function sortTasks(tasks: readonly Task[], now: number): { task: Task; state: TaskState }[] {
  return tasks
    .map((task) => ({ task, state: taskState(task, now) }))
    .toSorted(
      (one, other) =>
        ORDER.indexOf(one.state) - ORDER.indexOf(other.state) || one.task.name.localeCompare(other.task.name),
    )
}

/** The name of a task, such as `delete-old-logs`, as words. */
export function taskTitle(name: string): string {
  const words = name.replaceAll('-', ' ')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}
