import { groupApi } from '../../../../addresses/first-reads.js'
import { Allowed } from '../../../frame/allowed.js'
import { useTitle } from '../../../frame/document-title.js'
import { useGroupAbilities } from '../../../frame/use-abilities.js'
import { PageHeader } from '../../../kit/panel.js'
import { RoleTokens } from '../../../records/access-tokens.js'

/** The access tokens of a group. */
export function Page({ params: { group } }: { params: { group: string } }) {
  useTitle(`Access tokens · ${group}`)
  const path = `${groupApi(group)}/access_tokens`
  return (
    <>
      <PageHeader title="Access tokens" details="Tokens that act in this group and all projects inside." />
      <Allowed
        abilities={useGroupAbilities(group)}
        to="admin_group"
        otherwise="Owners manage the access tokens of a group."
      >
        <RoleTokens path={path} />
      </Allowed>
    </>
  )
}
