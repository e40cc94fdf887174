import { projectApi } from '../../../../addresses/first-reads.js'
import type { FullProject } from '../../../../coordinator/hosting/projects/record/schema.js'
import { useRead } from '../../../api/use-read.js'
import { Allowed } from '../../../frame/allowed.js'
import { Read } from '../../../frame/problem.js'
import { useProjectAbilities } from '../../../frame/use-abilities.js'
import { RunnerView } from '../../../records/runners/runner-view.js'

/** One of the runners that may take jobs of a project. */
export function Page({ params: { project, id } }: { params: { project: string; id: string } }) {
  const record = useRead<FullProject>(projectApi(project))
  return (
    <Allowed
      abilities={useProjectAbilities(project)}
      to="admin_runners"
      title="Runner"
      otherwise="Maintainers and above see the runners of a project."
    >
      <Read of={record} title="Runner">
        {(loaded) => <RunnerView scope={{ kind: 'project', path: project, id: loaded.id }} id={id} />}
      </Read>
    </Allowed>
  )
}
