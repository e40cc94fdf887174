import { projectApi } from '../../../../addresses/first-reads.js'
import type { FullProject } from '../../../../coordinator/hosting/projects/record/schema.js'
import { useRead } from '../../../api/use-read.js'
import { Allowed } from '../../../frame/allowed.js'
import { useTitle } from '../../../frame/document-title.js'
import { Read } from '../../../frame/problem.js'
import { useProjectAbilities } from '../../../frame/use-abilities.js'
import { PageHeader } from '../../../kit/panel.js'
import { Fleet } from '../../../records/runners/fleet.js'

/** The runners that may take jobs of a project. */
export function Page({ params: { project } }: { params: { project: string } }) {
  useTitle(`Runners · ${project}`)
  const record = useRead<FullProject>(projectApi(project))
  const abilities = useProjectAbilities(project)
  return (
    <Allowed
      abilities={abilities}
      title="Runners"
      to="admin_runners"
      otherwise="Maintainers and above see the runners of a project."
    >
      <Read of={record} title="Runners" loading={<PageHeader title="Runners" />}>
        {({ id }) => (
          <Fleet
            scope={{ kind: 'project', path: project, id }}
            details="Runners of this project, of its groups and of the instance."
            reason={abilities.reasonAgainst('admin_runners')}
          />
        )}
      </Read>
    </Allowed>
  )
}
