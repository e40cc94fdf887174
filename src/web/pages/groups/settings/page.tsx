import { groupApi, groupRecord } from '../../../../addresses/first-reads.js'
import type { Group } from '../../../../coordinator/accounts/groups/schema.js'
import { refresh, useRead } from '../../../api/use-read.js'
import { Allowed } from '../../../frame/allowed.js'
import { useTitle } from '../../../frame/document-title.js'
import { Read } from '../../../frame/problem.js'
import { useGroupAbilities } from '../../../frame/use-abilities.js'
import { PageHeader, Panels } from '../../../kit/panel.js'
import { Badges } from '../../../records/badges.js'
import { Inheritors } from '../../../records/inheritors.js'
import { PicturePanel } from '../../../records/picture-panel.js'
import { SettingsForm } from '../../../records/settings-form.js'
import { AdvancedPanel } from './advanced-panel.js'
import { NAME_FIELDS, PERMISSION_FIELDS } from './fields.js'

/** The general settings of a group. */
export function Page({ params: { group } }: { params: { group: string } }) {
  useTitle(`General settings · ${group}`)
  return (
    <>
      <PageHeader title="General settings" />
      <Allowed
        abilities={useGroupAbilities(group)}
        to="admin_group"
        otherwise="Owners change the settings of a group."
      >
        <GeneralSettings path={group} />
      </Allowed>
    </>
  )
}

function GeneralSettings({ path }: { path: string }) {
  const api = groupApi(path)
  const group = useRead<Group>(groupRecord(path))
  const reread = () => refresh(api)
  return (
    <Read of={group}>
      {(values) => {
        const form = { path: api, values, onSaved: reread }
        return (
          <Panels>
            <SettingsForm {...form} title="Name and visibility" fields={NAME_FIELDS} />
            <PicturePanel name={values.name} url={values.avatar_url} path={api} onChanged={reread} />
            <SettingsForm {...form} title="Permissions" fields={PERMISSION_FIELDS} />
            <Badges path={`${api}/badges`} kind="group" note={<Inheritors group={path} />} />
            <AdvancedPanel group={values} />
          </Panels>
        )
      }}
    </Read>
  )
}
