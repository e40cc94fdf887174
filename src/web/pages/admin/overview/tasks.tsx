import { Badge } from '../../../kit/badge.js'
import { useNow } from '../../../kit/clock.js'
import { formatDuration } from '../../../kit/durations.js'
import { Panel } from '../../../kit/panel.js'
import { Table } from '../../../kit/table.js'
import { Time } from '../../../kit/time.js'
import styles from './page.module.css'
import { sortTasks, type Task, type TaskState, taskTitle } from './task-states.js'

const TONES = {
  failed: 'failed',
  late: 'warning',
  running: 'accent',
  waiting: 'neutral',
  done: 'success',
} as const

/** The periodic tasks of the coordinator that responds, those with problems first. */
export function Tasks({ tasks }: { tasks: Task[] }) {
  const rows = sortTasks(tasks, useNow(false))
  const troubled = rows.filter(({ state }) => state === 'failed' || state === 'late').length
  return (
    <Panel
      isFlush
      title="Periodic tasks"
      actions={
        <span class={styles['summary']}>
          {troubled === 0 ? 'All ran within their time.' : `${troubled} of ${rows.length} need a look.`}
        </span>
      }
    >
      <div class={styles['tasks']} tabIndex={0} role="region" aria-label="List of periodic tasks">
        <Table<{ task: Task; state: TaskState }>
          label="Periodic tasks"
          rows={rows}
          keyOf={({ task }) => task.name}
          columns={[
            {
              title: 'State',
              isMain: true,
              cell: ({ state }) => <Badge tone={TONES[state]}>{state}</Badge>,
            },
            {
              title: 'Task',
              isMain: true,
              cell: ({ task: { name, error } }) => (
                <>
                  {taskTitle(name)}
                  {error !== null && <span class={styles['error']}>{error}</span>}
                </>
              ),
            },
            {
              title: 'Every',
              isDetail: true,
              isNumber: true,
              cell: ({ task: { every } }) => formatDuration(every),
            },
            {
              title: 'Last run',
              cell: ({ task: { started_at: at } }) => (at === null ? 'not yet' : <Time value={at} />),
            },
            {
              title: 'Took',
              isNumber: true,
              cell: ({ task: { duration } }) => (duration === null ? '–' : formatDuration(duration)),
            },
          ]}
        />
      </div>
    </Panel>
  )
}
