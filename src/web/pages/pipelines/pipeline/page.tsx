import { useSearch } from '../../../frame/location.js'
import { GraphTab } from '../graph-tab.js'
import { PipelineLayout } from '../pipeline-layout.js'

/** A pipeline by its stages. */
export function Page({ params }: { params: { project: string; id: string } }) {
  useSearch()
  return (
    <PipelineLayout params={params} tab="graph">
      {(shown) => <GraphTab {...shown} by="stages" />}
    </PipelineLayout>
  )
}
