import { useTitle } from '../../../frame/document-title.js'
import { PageHeader } from '../../../kit/panel.js'
import { Runners } from '../../../records/runners.js'

/** All runners of the instance. */
export function Page() {
  useTitle('Runners')
  return (
    <>
      <PageHeader title="Runners" details="All runners of this instance." />
      <Runners path="/runners/all" created={{ runner_type: 'instance_type' }} />
    </>
  )
}
