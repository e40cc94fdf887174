import { projectApi } from '../../../../addresses/first-reads.js'
import type { FullProject } from '../../../../coordinator/hosting/projects/record/schema.js'
import { useRead } from '../../../api/use-read.js'
import { Read } from '../../../frame/problem.js'
import { PageHeader } from '../../../kit/panel.js'
import { RunnerView } from '../../../records/runners/runner-view.js'

/** One of the runners that may take jobs of a project. */
export function Page({ params: { project, id } }: { params: { project: string; id: string } }) {
  const record = useRead<FullProject>(projectApi(project))
  return (
    <Read of={record} loading={<PageHeader title="Runner" />}>
      {(loaded) => <RunnerView scope={{ kind: 'project', path: project, id: loaded.id }} id={id} />}
    </Read>
  )
}
