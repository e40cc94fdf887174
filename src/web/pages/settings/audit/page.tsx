import { projectApi } from '../../../../addresses/first-reads.js'
import { Allowed } from '../../../frame/allowed.js'
import { useTitle } from '../../../frame/document-title.js'
import { useProjectAbilities } from '../../../frame/use-abilities.js'
import { PageHeader } from '../../../kit/panel.js'
import { AuditEvents } from '../../../records/audit-events.js'
import { SettingsTabs } from '../settings-tabs.js'

/** The audit events of a project. */
export function Page({ params: { project } }: { params: { project: string } }) {
  useTitle(`Audit events · ${project}`)
  return (
    <>
      <PageHeader title="Audit events" details="Who changed what in this project." />
      <SettingsTabs project={project} current="audit" />
      <Allowed
        abilities={useProjectAbilities(project)}
        to="read_audit_events"
        otherwise="Maintainers and above read the audit events of a project."
      >
        <AuditEvents path={`${projectApi(project)}/audit_events`} />
      </Allowed>
    </>
  )
}
