import type { Database } from '../../../database/connect.js'
import { updateProject } from '../../../database/stores/project-store.js'
import { type TransferPart, transferPart } from '../../../http/archive-part.js'
import { approvalSettingsOf, SetApprovalSettings } from './schema.js'

/** Import and export of what a project requires of approvals: one record. */
export function approvalSettingsPart(database: Database): TransferPart {
  return transferPart({
    name: 'approval_settings',
    schema: SetApprovalSettings,
    async *read(project) {
      yield approvalSettingsOf(project)
    },
    identityOf: (settings) => settings,
    write: ({ project }, settings) => updateProject(database, project.id, settings),
  })
}
