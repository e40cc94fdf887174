import { projectApi } from '../../../../addresses/first-reads.js'
import type { PipelineGraph } from '../../../../coordinator/ci/pipelines/graph/schema.js'
import { useRead } from '../../../api/use-read.js'
import { useSearch } from '../../../frame/location.js'
import { usePreferences } from '../../../frame/use-preferences.js'
import { FailuresTab } from '../failures-tab.js'
import { GraphTab } from '../graph-tab.js'
import { PipelineLayout } from '../pipeline-layout.js'

/**
 * A pipeline: its failures if it has failed, unless the reader chose the graph for such pipelines; else its jobs by stages.
 * `?view=graph` always shows the graph.
 */
export function Page({ params }: { params: { project: string; id: string } }) {
  const [search] = useSearch()
  const graph = useRead<PipelineGraph>(`${projectApi(params.project)}/pipelines/${params.id}/graph`).data
  const hasLog = search.has('log') || search.has('follow')
  const [{ failedPipelineTab }] = usePreferences()
  const asksForGraph = search.get('view') === 'graph' || hasLog || failedPipelineTab === 'graph'
  const showsFailures = !asksForGraph && graph?.status === 'failed' && graph.jobs.length > 0
  return (
    <PipelineLayout params={params} tab={showsFailures ? 'failures' : 'graph'}>
      {(shown) => (showsFailures ? <FailuresTab {...shown} /> : <GraphTab {...shown} by="stages" />)}
    </PipelineLayout>
  )
}
