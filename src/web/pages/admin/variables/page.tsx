import { useTitle } from '../../../frame/document-title.js'
import { PageHeader } from '../../../kit/panel.js'
import { Variables } from '../../../records/variables.js'

/** The CI/CD variables of the instance, which all projects inherit. */
export function Page() {
  useTitle('CI/CD variables')
  return (
    <>
      <PageHeader title="CI/CD variables" details="The jobs of all projects have them." />
      <Variables path="/admin/ci/variables" withEnvironments={false} />
    </>
  )
}
