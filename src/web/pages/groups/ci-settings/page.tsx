import { groupApi } from '../../../../addresses/first-reads.js'
import { useTitle } from '../../../frame/document-title.js'
import { useGroupAbilities } from '../../../frame/use-abilities.js'
import { Alert } from '../../../kit/alert.js'
import { PageHeader, Panels } from '../../../kit/panel.js'
import { InheritedVariables } from '../../../records/inherited-variables.js'
import { ProtectedEnvironments } from '../../../records/protected-environments/protected-environments.js'
import { Variables } from '../../../records/variables.js'

/** The CI/CD variables of a group, and the tiers that it protects, for all projects inside. */
export function Page({ params: { group } }: { params: { group: string } }) {
  useTitle(`CI/CD settings · ${group}`)
  const { isLoaded, may } = useGroupAbilities(group)
  return (
    <>
      <PageHeader title="CI/CD settings" details="They hold for all projects and subgroups inside." />
      <Panels>
        {isLoaded && !may('admin_group') && (
          <Alert tone="warning">Owners manage the variables of a group.</Alert>
        )}
        {may('admin_group') && <Variables path={`${groupApi(group)}/variables`} withEnvironments />}
        {may('admin_group') && <InheritedVariables base={groupApi(group)} />}
        {may('admin_group_protected_environments') && (
          <ProtectedEnvironments owner="group" base={groupApi(group)} />
        )}
      </Panels>
    </>
  )
}
