import { projectApi } from '../../../../addresses/first-reads.js'
import { RoleTokens } from '../../../records/access-tokens.js'
import { SettingsPage } from '../settings-page.js'

/** The access tokens of a project. */
export function Page({ params: { project } }: { params: { project: string } }) {
  return (
    <SettingsPage
      project={project}
      title="Access tokens"
      details="Tokens that act in this project alone, with a role of their own."
      current="access-tokens"
      to="admin_access_tokens"
      otherwise="Maintainers and above manage the access tokens of a project."
    >
      {(reason) => <RoleTokens path={`${projectApi(project)}/access_tokens`} reason={reason} />}
    </SettingsPage>
  )
}
