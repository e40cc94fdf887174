import { projectApi } from '../../../../addresses/first-reads.js'
import type { FullProject } from '../../../../coordinator/hosting/projects/record/schema.js'
import { useRead } from '../../../api/use-read.js'
import { useTitle } from '../../../frame/document-title.js'
import { Read } from '../../../frame/problem.js'
import { useProjectAbilities } from '../../../frame/use-abilities.js'
import { Alert } from '../../../kit/alert.js'
import { PageHeader } from '../../../kit/panel.js'
import { ScheduleForm } from '../schedule-form.js'

/** Creates a pipeline schedule. */
export function Page({ params: { project } }: { params: { project: string } }) {
  useTitle(`New schedule · ${project}`)
  const { isLoaded, may, reasonAgainst } = useProjectAbilities(project)
  const record = useRead<FullProject>(projectApi(project))
  return (
    <>
      <PageHeader title="New schedule" />
      {isLoaded && !may('manage_schedules') ? (
        <Alert tone="warning">Developers and above can create schedules.</Alert>
      ) : (
        <Read of={record}>
          {({ default_branch: branch }) => (
            <ScheduleForm
              project={project}
              defaultBranch={branch ?? 'main'}
              reason={reasonAgainst('manage_schedules')}
            />
          )}
        </Read>
      )}
    </>
  )
}
