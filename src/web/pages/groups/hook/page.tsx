import { addressOf } from '../../../../addresses/address-of.js'
import { groupApi } from '../../../../addresses/first-reads.js'
import { Allowed } from '../../../frame/allowed.js'
import { useTitle } from '../../../frame/document-title.js'
import { useGroupAbilities } from '../../../frame/use-abilities.js'
import { HookDetails } from '../../../records/hook-details.js'

/** A webhook of a group. */
export function Page({ params: { group, id } }: { params: { group: string; id: string } }) {
  useTitle(`Webhook · ${group}`)
  return (
    <Allowed
      abilities={useGroupAbilities(group)}
      to="admin_group_hooks"
      title="Webhook"
      otherwise="Owners manage the webhooks of a group."
    >
      <HookDetails
        kind="group"
        path={`${groupApi(group)}/hooks`}
        id={id}
        listAddress={addressOf('groups/hooks', { group })}
      />
    </Allowed>
  )
}
