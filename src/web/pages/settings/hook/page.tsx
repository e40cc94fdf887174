import { addressOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import { useTitle } from '../../../frame/document-title.js'
import { HookDetails } from '../../../records/hook-details.js'
import { SettingsTabs } from '../settings-tabs.js'

/** A webhook of a project. */
export function Page({ params: { project, id } }: { params: { project: string; id: string } }) {
  useTitle(`Webhook · ${project}`)
  return (
    <HookDetails
      kind="project"
      path={`${projectApi(project)}/hooks`}
      id={id}
      tabs={<SettingsTabs project={project} current="hooks" />}
      listAddress={addressOf('settings/hooks', { project })}
    />
  )
}
