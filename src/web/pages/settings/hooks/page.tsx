import { addressOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import { Hooks } from '../../../records/hooks.js'
import { SettingsPage } from '../settings-page.js'

/** The webhooks of a project. */
export function Page({ params: { project } }: { params: { project: string } }) {
  return (
    <SettingsPage
      project={project}
      title="Webhooks"
      details="Send events of this project to other systems."
      current="hooks"
      to="admin_hooks"
      otherwise="Maintainers and above manage the webhooks of a project."
    >
      {(reason) => (
        <Hooks
          kind="project"
          path={`${projectApi(project)}/hooks`}
          addressOfHook={(id) => addressOf('settings/hook', { project, id: String(id) })}
          reason={reason}
        />
      )}
    </SettingsPage>
  )
}
