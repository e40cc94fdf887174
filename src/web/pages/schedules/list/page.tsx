import { CalendarClock, Plus } from 'lucide'

import { addressOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import type { DetailedSchedule } from '../../../../coordinator/ci/schedules/schema.js'
import type { FullProject } from '../../../../coordinator/hosting/projects/record/schema.js'
import { useRead, useReadList } from '../../../api/use-read.js'
import { useTitle } from '../../../frame/document-title.js'
import { LoadMore } from '../../../frame/load-more.js'
import { ReadRows } from '../../../frame/problem.js'
import { useProjectAbilities } from '../../../frame/use-abilities.js'
import { LinkButton } from '../../../kit/button.js'
import { Empty } from '../../../kit/empty.js'
import { useEntryKeys } from '../../../kit/entry-keys.js'
import { PageHeader, Panel } from '../../../kit/panel.js'
import { useLive } from '../../../live/use-live.js'
import styles from './page.module.css'
import { ScheduleRow } from './schedule-row.js'

/** The pipeline schedules of a project. */
export function Page({ params: { project } }: { params: { project: string } }) {
  useTitle(`Schedules · ${project}`)
  useEntryKeys()
  const { may, reasonAgainst } = useProjectAbilities(project)
  const record = useRead<FullProject>(projectApi(project)).data
  const list = useReadList<DetailedSchedule>(
    `${projectApi(project)}/pipeline_schedules?with_details=true&per_page=50`,
  )
  const { rows, result, next } = list
  const reread = () => void result.refetch()
  useLive(
    record ? [`project/${record.id}`] : [],
    {
      pipeline: ({ id, project_id: of, source }) => {
        if (of !== record?.id) return
        if (source === 'schedule' || rows.some(({ last_pipeline: last }) => last?.id === id)) reread()
      },
    },
    reread,
  )
  const reason = reasonAgainst('manage_schedules')
  const newButton = may('manage_schedules') && (
    <LinkButton kind="primary" icon={Plus} reason={reason} href={addressOf('schedules/new', { project })}>
      New schedule
    </LinkButton>
  )
  return (
    <>
      <PageHeader title="Schedules" actions={newButton} />
      <Panel isFlush>
        <ReadRows
          of={{ rows, result }}
          outline={3}
          empty={
            <Empty
              icon={CalendarClock}
              title="Nothing runs by the clock yet."
              action={newButton || undefined}
            >
              A schedule starts a pipeline at fixed times, such as every night.{' '}
              {!may('manage_schedules') && 'Developers and above can create schedules.'}
            </Empty>
          }
        >
          <ul class={styles['schedules']} aria-label="Schedules">
            {rows.map((schedule) => (
              <ScheduleRow key={schedule.id} project={project} schedule={schedule} />
            ))}
          </ul>
        </ReadRows>
        <LoadMore of="schedules" next={next} />
      </Panel>
    </>
  )
}
