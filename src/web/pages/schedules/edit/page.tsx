import { useRef } from 'preact/hooks'

import { addressOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import type { Schedule } from '../../../../coordinator/ci/schedules/schema.js'
import { boot } from '../../../api/boot.js'
import { useRead } from '../../../api/use-read.js'
import { useTitle } from '../../../frame/document-title.js'
import { Read } from '../../../frame/problem.js'
import { useProjectAbilities } from '../../../frame/use-abilities.js'
import { Alert } from '../../../kit/alert.js'
import { LinkButton } from '../../../kit/button.js'
import { PageHeader } from '../../../kit/panel.js'
import { ScheduleForm } from '../schedule-form.js'

/** Changes a pipeline schedule. */
export function Page({ params: { project, id } }: { params: { project: string; id: string } }) {
  useTitle(`Edit schedule · ${project}`)
  const { reasonAgainst } = useProjectAbilities(project)
  const schedule = useRead<Schedule>(`${projectApi(project)}/pipeline_schedules/${id}`)
  // The fields keep what they began with, so they wait for the present state.
  const isReady = useRef(false)
  if (schedule.isFetchedAfterMount || !schedule.isStale) isReady.current = true
  return (
    <>
      <PageHeader title="Edit schedule" />
      <Read of={{ ...schedule, data: isReady.current ? schedule.data : undefined }}>
        {(record) =>
          record.owner !== null && record.owner.username === boot.user?.username ? (
            <ScheduleForm
              key={record.id}
              project={project}
              schedule={record}
              defaultBranch=""
              reason={reasonAgainst('manage_schedules')}
            />
          ) : (
            <Alert
              tone="warning"
              title="Only the owner of a schedule may change it."
              actions={
                <LinkButton size="small" href={addressOf('schedules/list', { project })}>
                  All schedules
                </LinkButton>
              }
            >
              {record.description} belongs to {record.owner?.name ?? 'a deleted account'}. Maintainers can
              take it over.
            </Alert>
          )
        }
      </Read>
    </>
  )
}
