import { projectApi } from '../../../../addresses/first-reads.js'
import { AuditEvents } from '../../../records/audit-events.js'
import { SettingsPage } from '../settings-page.js'

/** The audit events of a project. */
export function Page({ params: { project } }: { params: { project: string } }) {
  return (
    <SettingsPage
      project={project}
      title="Audit events"
      details="Who changed what in this project."
      current="audit"
      to="read_audit_events"
      otherwise="Maintainers and above read the audit events of a project."
    >
      {() => <AuditEvents path={`${projectApi(project)}/audit_events`} />}
    </SettingsPage>
  )
}
