import { groupApi } from '../../../../addresses/first-reads.js'
import { useTitle } from '../../../frame/document-title.js'
import { useGroupAbilities } from '../../../frame/use-abilities.js'
import { Alert } from '../../../kit/alert.js'
import { PageHeader } from '../../../kit/panel.js'
import { AuditEvents } from '../../../records/audit-events.js'

/** The audit events of a group. */
export function Page({ params: { group } }: { params: { group: string } }) {
  useTitle(`Audit events · ${group}`)
  const { isLoaded, may } = useGroupAbilities(group)
  return (
    <>
      <PageHeader title="Audit events" details="Who changed what in this group." />
      {isLoaded && !may('read_group_audit_events') && (
        <Alert tone="warning">Owners read the audit events of a group.</Alert>
      )}
      {may('read_group_audit_events') && <AuditEvents path={`${groupApi(group)}/audit_events`} />}
    </>
  )
}
