import type { ApprovalSettings } from '../../../../coordinator/planning/merge-requests/approvals/schema.js'
import { refresh, useRead } from '../../../api/use-read.js'
import { Read } from '../../../frame/problem.js'
import { SettingsForm } from '../../../records/settings-form.js'
import { APPROVAL_FIELDS } from './fields.js'

interface ApprovalPanelProps {
  /** Path of the project in the API. */
  path: string
  /** Why nothing can be changed now. */
  reason: string | undefined
}

/** What the project requires of approvals. */
export function ApprovalPanel({ path, reason }: ApprovalPanelProps) {
  const api = `${path}/approvals`
  const settings = useRead<ApprovalSettings>(api)
  return (
    <Read of={settings}>
      {(values) => (
        <SettingsForm
          title="Approvals of merge requests"
          path={api}
          method="POST"
          fields={APPROVAL_FIELDS}
          values={values}
          reason={reason}
          onSaved={() => refresh(api)}
        />
      )}
    </Read>
  )
}
