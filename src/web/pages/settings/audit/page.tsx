import { projectApi } from '../../../../addresses/first-reads.js'
import { useTitle } from '../../../frame/document-title.js'
import { useProjectAbilities } from '../../../frame/use-abilities.js'
import { Alert } from '../../../kit/alert.js'
import { PageHeader } from '../../../kit/panel.js'
import { AuditEvents } from '../../../records/audit-events.js'
import { SettingsTabs } from '../settings-tabs.js'

/** The audit events of a project. */
export function Page({ params: { project } }: { params: { project: string } }) {
  useTitle(`Audit events · ${project}`)
  const { isLoaded, may } = useProjectAbilities(project)
  return (
    <>
      <PageHeader title="Audit events" details="Who changed what in this project." />
      <SettingsTabs project={project} current="audit" />
      {isLoaded && !may('read_audit_events') && (
        <Alert tone="warning">Maintainers and above read the audit events of a project.</Alert>
      )}
      {may('read_audit_events') && <AuditEvents path={`${projectApi(project)}/audit_events`} />}
    </>
  )
}
