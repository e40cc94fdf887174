import { addressOf } from '../../../../addresses/address-of.js'
import { groupApi } from '../../../../addresses/first-reads.js'
import { useTitle } from '../../../frame/document-title.js'
import { HookDetails } from '../../../records/hook-details.js'

/** A webhook of a group. */
export function Page({ params: { group, id } }: { params: { group: string; id: string } }) {
  useTitle(`Webhook · ${group}`)
  return (
    <HookDetails
      kind="group"
      path={`${groupApi(group)}/hooks`}
      id={id}
      listAddress={addressOf('groups/hooks', { group })}
    />
  )
}
