import { FailuresTab } from '../failures-tab.js'
import { PipelineLayout } from '../pipeline-layout.js'

/** The failed jobs of a pipeline. */
export function Page({ params }: { params: { project: string; id: string } }) {
  return (
    <PipelineLayout params={params} tab="failures">
      {(shown) => <FailuresTab {...shown} />}
    </PipelineLayout>
  )
}
