import { GraphTab } from '../graph-tab.js'
import { PipelineLayout } from '../pipeline-layout.js'

/** A pipeline by the needs of its jobs. */
export function Page({ params }: { params: { project: string; id: string } }) {
  return (
    <PipelineLayout params={params} tab="needs">
      {(shown) => <GraphTab {...shown} by="needs" />}
    </PipelineLayout>
  )
}
