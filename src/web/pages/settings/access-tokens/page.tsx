import { projectApi } from '../../../../addresses/first-reads.js'
import { useTitle } from '../../../frame/document-title.js'
import { useProjectAbilities } from '../../../frame/use-abilities.js'
import { Alert } from '../../../kit/alert.js'
import { PageHeader } from '../../../kit/panel.js'
import { AccessTokens, TOKEN_SCOPES } from '../../../records/access-tokens.js'
import { SettingsTabs } from '../settings-tabs.js'

/** The access tokens of a project. */
export function Page({ params: { project } }: { params: { project: string } }) {
  useTitle(`Access tokens · ${project}`)
  const { isLoaded, may, reasonAgainst } = useProjectAbilities(project)
  const path = `${projectApi(project)}/access_tokens`
  return (
    <>
      <PageHeader
        title="Access tokens"
        details="Tokens that act in this project alone, with a role of their own."
      />
      <SettingsTabs project={project} current="access-tokens" />
      {isLoaded && !may('admin_access_tokens') && (
        <Alert tone="warning">Maintainers and above manage the access tokens of a project.</Alert>
      )}
      {may('admin_access_tokens') && (
        <AccessTokens
          list={`${path}?state=active&per_page=50`}
          create={path}
          single={path}
          scopes={TOKEN_SCOPES}
          withRole
          mayChange
          reason={reasonAgainst('admin_access_tokens')}
        />
      )}
    </>
  )
}
