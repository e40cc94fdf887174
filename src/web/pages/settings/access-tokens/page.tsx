import { projectApi } from '../../../../addresses/first-reads.js'
import { Allowed } from '../../../frame/allowed.js'
import { useTitle } from '../../../frame/document-title.js'
import { useProjectAbilities } from '../../../frame/use-abilities.js'
import { PageHeader } from '../../../kit/panel.js'
import { RoleTokens } from '../../../records/access-tokens.js'
import { SettingsTabs } from '../settings-tabs.js'

/** The access tokens of a project. */
export function Page({ params: { project } }: { params: { project: string } }) {
  useTitle(`Access tokens · ${project}`)
  const abilities = useProjectAbilities(project)
  const path = `${projectApi(project)}/access_tokens`
  return (
    <>
      <PageHeader
        title="Access tokens"
        details="Tokens that act in this project alone, with a role of their own."
      />
      <SettingsTabs project={project} current="access-tokens" />
      <Allowed
        abilities={abilities}
        to="admin_access_tokens"
        otherwise="Maintainers and above manage the access tokens of a project."
      >
        <RoleTokens path={path} reason={abilities.reasonAgainst('admin_access_tokens')} />
      </Allowed>
    </>
  )
}
