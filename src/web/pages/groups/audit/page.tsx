import { groupApi } from '../../../../addresses/first-reads.js'
import { Allowed } from '../../../frame/allowed.js'
import { useTitle } from '../../../frame/document-title.js'
import { useGroupAbilities } from '../../../frame/use-abilities.js'
import { PageHeader } from '../../../kit/panel.js'
import { AuditEvents } from '../../../records/audit-events.js'

/** The audit events of a group. */
export function Page({ params: { group } }: { params: { group: string } }) {
  useTitle(`Audit events · ${group}`)
  return (
    <>
      <PageHeader title="Audit events" details="Who changed what in this group." />
      <Allowed
        abilities={useGroupAbilities(group)}
        to="read_group_audit_events"
        otherwise="Owners read the audit events of a group."
      >
        <AuditEvents path={`${groupApi(group)}/audit_events`} />
      </Allowed>
    </>
  )
}
