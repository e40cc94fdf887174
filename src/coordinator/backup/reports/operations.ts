import { type Operation, operation } from '../../http/operation.js'
import { readReports } from './report-files.js'
import { BackupReports } from './schema.js'

/**
 * What is known of the backups of the instance (API, N15).
 * @param dataDir data folder of the installation, which its coordinators share
 */
export function backupReportOperations({ dataDir }: { dataDir: string }): Operation[] {
  return [
    operation('GET /admin/backups', {
      summary: 'Get the last backup of the instance and the last check of one',
      access: 'administrator',
      responses: { 200: BackupReports },
      run: () => readReports(dataDir),
    }),
  ]
}
