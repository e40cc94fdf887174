import { projectApi } from '../../../../addresses/first-reads.js'
import type { FullProject } from '../../../../coordinator/hosting/projects/record/schema.js'
import { useRead } from '../../../api/use-read.js'
import { Allowed } from '../../../frame/allowed.js'
import { useTitle } from '../../../frame/document-title.js'
import { Read } from '../../../frame/problem.js'
import { useProjectAbilities } from '../../../frame/use-abilities.js'
import { PageHeader } from '../../../kit/panel.js'
import { ScheduleForm } from '../schedule-form.js'

/** Creates a pipeline schedule. */
export function Page({ params: { project } }: { params: { project: string } }) {
  useTitle(`New schedule · ${project}`)
  const abilities = useProjectAbilities(project)
  const record = useRead<FullProject>(projectApi(project))
  return (
    <>
      <PageHeader title="New schedule" />
      <Allowed
        abilities={abilities}
        to="manage_schedules"
        otherwise="Developers and above can create schedules."
      >
        <Read of={record}>
          {({ default_branch: branch }) => (
            <ScheduleForm
              project={project}
              defaultBranch={branch ?? 'main'}
              reason={abilities.reasonAgainst('manage_schedules')}
            />
          )}
        </Read>
      </Allowed>
    </>
  )
}
