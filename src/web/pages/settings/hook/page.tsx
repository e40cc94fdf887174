import { addressOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import { Allowed } from '../../../frame/allowed.js'
import { useTitle } from '../../../frame/document-title.js'
import { useProjectAbilities } from '../../../frame/use-abilities.js'
import { HookDetails } from '../../../records/hook-details.js'
import { SettingsTabs } from '../settings-tabs.js'

/** A webhook of a project. */
export function Page({ params: { project, id } }: { params: { project: string; id: string } }) {
  useTitle(`Webhook · ${project}`)
  const abilities = useProjectAbilities(project)
  return (
    <Allowed
      abilities={abilities}
      to="admin_hooks"
      title="Webhook"
      otherwise="Maintainers and above manage the webhooks of a project."
    >
      <HookDetails
        kind="project"
        path={`${projectApi(project)}/hooks`}
        id={id}
        tabs={<SettingsTabs project={project} current="hooks" />}
        listAddress={addressOf('settings/hooks', { project })}
        reason={abilities.reasonAgainst('admin_hooks')}
      />
    </Allowed>
  )
}
