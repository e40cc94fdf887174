import { useMemo, useState } from 'preact/hooks'

import type { BurndownEvent } from '../../../coordinator/planning/resource-events/burndown-schema.js'
import { useWholeList } from '../../api/use-whole-list.js'
import { LineChart } from '../../charts/line-chart.js'
import { countAxis } from '../../charts/scales.js'
import { formatDay } from '../../discussion/due-words.js'
import { Problem } from '../../frame/problem.js'
import { Badge } from '../../kit/badge.js'
import { Select } from '../../kit/field.js'
import { Panel } from '../../kit/panel.js'
import { Skeleton } from '../../kit/skeleton.js'
import { burndownOf, dayOf } from './burndown-data.js'
import styles from './burndown.module.css'
import type { MilestoneRecord } from './milestone-facts.js'

interface BurndownProps {
  /** Path of the milestone in the API. */
  path: string
  milestone: MilestoneRecord
}

/** How much of a milestone was open on each day. */
export function BurndownPanel({ path, milestone }: BurndownProps) {
  const { start_date: start, due_date: due } = milestone
  const [by, setBy] = useState<'issues' | 'weight'>('issues')
  const isDated = start !== null && due !== null
  return (
    <Panel
      class={styles['panel']}
      title="Burndown"
      actions={
        isDated && (
          <Select
            label="Count"
            hidesLabel
            value={by}
            onInput={(value) => setBy(value === 'weight' ? 'weight' : 'issues')}
            choices={[
              { value: 'issues', label: 'Issues' },
              { value: 'weight', label: 'Weight' },
            ]}
          />
        )
      }
    >
      {isDated ? (
        <Chart path={path} start={start} due={due} isOpen={milestone.state === 'active'} by={by} />
      ) : (
        <p class={styles['none']}>The chart needs {missingDates(start, due)} of the milestone.</p>
      )}
    </Panel>
  )
}

function missingDates(start: string | null, due: string | null): string {
  if (start === null && due === null) return 'the first day and the due date'
  return start === null ? 'the first day' : 'the due date'
}

interface ChartProps {
  path: string
  start: string
  due: string
  isOpen: boolean
  by: 'issues' | 'weight'
}

function Chart({ path, start, due, isOpen, by }: ChartProps) {
  const events = useWholeList<BurndownEvent>(`${path}/burndown_events?per_page=100`)
  const { rows, isWhole, failure } = events
  const today = dayOf(new Date())
  const { data, remaining, total } = useMemo(
    () => burndownOf(rows, { start, due, today: isOpen ? today : null }, by),
    [rows, start, due, today, isOpen, by],
  )
  const axis = useMemo(() => countAxis(data.values.flat()), [data])
  if (failure) return <Problem {...failure} />
  if (!isWhole) return <Skeleton rows={4} />
  if (total === 0) {
    return (
      <p class={styles['none']}>
        {by === 'weight' && rows.length > 0 ? 'No issue of it has a weight.' : 'It has no issue yet.'}
      </p>
    )
  }
  const unit = by === 'weight' ? 'weight' : total === 1 ? 'issue' : 'issues'
  return (
    <>
      <p class={styles['words']}>
        <span>
          {remaining} of {total} {unit} open
        </span>
        {!isOpen && <Badge>Closed</Badge>}
        {isOpen && remaining > 0 && today > due && <Badge tone="failed">Late since {formatDay(due)}</Badge>}
      </p>
      <LineChart
        label={`Burndown of the milestone by ${by === 'weight' ? 'weight' : 'number of issues'}`}
        lines={[
          { name: 'open', tone: 'accent' },
          { name: 'total', tone: 'success' },
          { name: 'even progress', tone: 'neutral' },
        ]}
        data={data}
        axis={axis}
        fillsFirst
        isDaily
        format={(value) => value.toLocaleString('en', { maximumFractionDigits: 1 })}
      />
    </>
  )
}
