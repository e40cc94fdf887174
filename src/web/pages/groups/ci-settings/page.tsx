import { groupApi } from '../../../../addresses/first-reads.js'
import { Allowed } from '../../../frame/allowed.js'
import { useTitle } from '../../../frame/document-title.js'
import { useGroupAbilities } from '../../../frame/use-abilities.js'
import { PageHeader, Panels } from '../../../kit/panel.js'
import { InheritedVariables } from '../../../records/inherited-variables.js'
import { Inheritors } from '../../../records/inheritors.js'
import { ProtectedEnvironments } from '../../../records/protected-environments/protected-environments.js'
import { Variables } from '../../../records/variables.js'

/** The CI/CD variables of a group, and the tiers that it protects, for all projects inside. */
export function Page({ params: { group } }: { params: { group: string } }) {
  useTitle(`CI/CD settings · ${group}`)
  const abilities = useGroupAbilities(group)
  return (
    <>
      <PageHeader
        title="CI/CD settings"
        details={
          <>
            <span>They hold for all projects and subgroups inside.</span>
            {abilities.may('admin_group') && <Inheritors group={group} />}
          </>
        }
      />
      <Panels>
        <Allowed abilities={abilities} to="admin_group" otherwise="Owners manage the variables of a group.">
          <Variables path={`${groupApi(group)}/variables`} withEnvironments />
          <InheritedVariables base={groupApi(group)} />
        </Allowed>
        {abilities.may('admin_group_protected_environments') && (
          <ProtectedEnvironments owner="group" base={groupApi(group)} />
        )}
      </Panels>
    </>
  )
}
