import { request } from '../../../api/client.js'
import { SidePart, Unset } from '../../../discussion/side-part.js'
import { ValueForm } from '../../../discussion/value-form.js'
import type { IssueProps } from './issue-props.js'
import styles from './time-tracking.module.css'

/** The estimate, the time that was spent, and the share of it. */
export function TimeTracking({ issue, path, manages, reason, onChanged }: IssueProps) {
  const { time_estimate, total_time_spent, human_time_estimate, human_total_time_spent } = issue.time_stats
  const post = async (name: string, duration: string) => {
    await request(`${path}/${name}`, { method: 'POST', ...(duration !== '' && { body: { duration } }) })
    onChanged()
  }
  return (
    <SidePart
      title="Time"
      edit={
        manages && (
          <span>
            <ValueForm
              label="Estimate"
              button="Estimate"
              type="text"
              placeholder="1d 4h"
              help="Working time: 1mo is 4w, 1w is 5d, 1d is 8h."
              value={human_time_estimate ?? ''}
              reason={reason}
              onSave={(value) => post(value === '' ? 'reset_time_estimate' : 'time_estimate', value)}
            />
            <ValueForm
              label="Time spent"
              button="Add"
              type="text"
              placeholder="2h 30m"
              help="Is added to the time spent; -1h takes an hour away."
              value=""
              reason={reason}
              onSave={(value) => (value === '' ? Promise.resolve() : post('add_spent_time', value))}
            />
          </span>
        )
      }
    >
      {time_estimate === 0 && total_time_spent === 0 ? (
        <Unset>No estimate</Unset>
      ) : (
        <div class={styles['time']}>
          <span>
            {human_total_time_spent ?? 'Nothing'} spent
            {human_time_estimate !== null && ` of ${human_time_estimate}`}
          </span>
          {time_estimate > 0 && (
            <meter
              aria-label="Share of the estimate that was spent"
              max={time_estimate}
              high={time_estimate - 1}
              optimum={0}
              value={Math.min(total_time_spent, time_estimate)}
            />
          )}
        </div>
      )}
    </SidePart>
  )
}
