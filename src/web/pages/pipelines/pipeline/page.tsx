import { projectApi } from '../../../../addresses/first-reads.js'
import type { PipelineGraph } from '../../../../coordinator/ci/pipelines/graph/schema.js'
import { useRead } from '../../../api/use-read.js'
import { useSearch } from '../../../frame/location.js'
import { FailuresTab } from '../failures-tab.js'
import { GraphTab } from '../graph-tab.js'
import { PipelineLayout } from '../pipeline-layout.js'

/** A pipeline: its failures first if it has failed, else its jobs by stages. `?view=graph` always shows the graph. */
export function Page({ params }: { params: { project: string; id: string } }) {
  const [search] = useSearch()
  const graph = useRead<PipelineGraph>(`${projectApi(params.project)}/pipelines/${params.id}/graph`).data
  const hasLog = search.has('log') || search.has('follow')
  const asksForGraph = search.get('view') === 'graph' || hasLog
  const showsFailures = !asksForGraph && graph?.status === 'failed' && graph.jobs.length > 0
  return (
    <PipelineLayout params={params} tab={showsFailures ? 'failures' : 'graph'}>
      {(shown) => (showsFailures ? <FailuresTab {...shown} /> : <GraphTab {...shown} by="stages" />)}
    </PipelineLayout>
  )
}
