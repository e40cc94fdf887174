import { projectApi } from '../../../../addresses/first-reads.js'
import { useTitle } from '../../../frame/document-title.js'
import { useProjectAbilities } from '../../../frame/use-abilities.js'
import { Alert } from '../../../kit/alert.js'
import { PageHeader } from '../../../kit/panel.js'
import { Variables } from '../../../records/variables.js'
import { SettingsTabs } from '../settings-tabs.js'

/** CI/CD settings of a project: its variables. */
export function Page({ params: { project } }: { params: { project: string } }) {
  useTitle(`CI/CD variables · ${project}`)
  const { isLoaded, may, reasonAgainst } = useProjectAbilities(project)
  return (
    <>
      <PageHeader title="CI/CD variables" />
      <SettingsTabs project={project} current="ci" />
      {isLoaded && !may('admin_variables') && (
        <Alert tone="warning">Maintainers and above manage the variables of a project.</Alert>
      )}
      {may('admin_variables') && (
        <Variables
          path={`${projectApi(project)}/variables`}
          withEnvironments
          reason={reasonAgainst('admin_variables')}
        />
      )}
    </>
  )
}
