import { addressOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import { Allowed } from '../../../frame/allowed.js'
import { useTitle } from '../../../frame/document-title.js'
import { useProjectAbilities } from '../../../frame/use-abilities.js'
import { PageHeader } from '../../../kit/panel.js'
import { Hooks } from '../../../records/hooks.js'
import { SettingsTabs } from '../settings-tabs.js'

/** The webhooks of a project. */
export function Page({ params: { project } }: { params: { project: string } }) {
  useTitle(`Webhooks · ${project}`)
  const abilities = useProjectAbilities(project)
  return (
    <>
      <PageHeader title="Webhooks" details="Send events of this project to other systems." />
      <SettingsTabs project={project} current="hooks" />
      <Allowed
        abilities={abilities}
        to="admin_hooks"
        otherwise="Maintainers and above manage the webhooks of a project."
      >
        <Hooks
          kind="project"
          path={`${projectApi(project)}/hooks`}
          addressOfHook={(id) => addressOf('settings/hook', { project, id: String(id) })}
          reason={abilities.reasonAgainst('admin_hooks')}
        />
      </Allowed>
    </>
  )
}
