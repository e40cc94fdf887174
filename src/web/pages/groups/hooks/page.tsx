import { addressOf } from '../../../../addresses/address-of.js'
import { groupApi } from '../../../../addresses/first-reads.js'
import { Allowed } from '../../../frame/allowed.js'
import { useTitle } from '../../../frame/document-title.js'
import { useGroupAbilities } from '../../../frame/use-abilities.js'
import { PageHeader } from '../../../kit/panel.js'
import { Hooks } from '../../../records/hooks.js'
import { Inheritors } from '../../../records/inheritors.js'

/** The webhooks of a group. */
export function Page({ params: { group } }: { params: { group: string } }) {
  useTitle(`Webhooks · ${group}`)
  const abilities = useGroupAbilities(group)
  return (
    <>
      <PageHeader
        title="Webhooks"
        details={
          <>
            <span>Send events of this group and of all projects inside to other systems.</span>
            {abilities.may('admin_group_hooks') && <Inheritors group={group} />}
          </>
        }
      />
      <Allowed
        abilities={abilities}
        to="admin_group_hooks"
        otherwise="Owners manage the webhooks of a group."
      >
        <Hooks
          kind="group"
          path={`${groupApi(group)}/hooks`}
          addressOfHook={(id) => addressOf('groups/hook', { group, id: String(id) })}
        />
      </Allowed>
    </>
  )
}
