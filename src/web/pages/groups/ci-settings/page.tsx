import { groupApi } from '../../../../addresses/first-reads.js'
import { useTitle } from '../../../frame/document-title.js'
import { useGroupAbilities } from '../../../frame/use-abilities.js'
import { Alert } from '../../../kit/alert.js'
import { PageHeader } from '../../../kit/panel.js'
import { Variables } from '../../../records/variables.js'

/** The CI/CD variables of a group, which all projects inside inherit. */
export function Page({ params: { group } }: { params: { group: string } }) {
  useTitle(`CI/CD variables · ${group}`)
  const { isLoaded, may } = useGroupAbilities(group)
  return (
    <>
      <PageHeader title="CI/CD variables" details="All projects and subgroups inside have them too." />
      {isLoaded && !may('admin_group') && (
        <Alert tone="warning">Owners manage the variables of a group.</Alert>
      )}
      {may('admin_group') && <Variables path={`${groupApi(group)}/variables`} withEnvironments />}
    </>
  )
}
