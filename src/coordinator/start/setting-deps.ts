import { readReports } from '../backup/reports/report-files.js'
import type { OverviewDeps } from '../instance/overview/overview.js'
import type { SetUpDeps } from '../instance/set-up/facts.js'
import type { SettingsDeps } from '../instance/settings/settings.js'
import type { Services } from './services/services.js'

/** The dependencies of the overview of the instance. */
export function overviewDeps(
  { database, settings, mail, coordinatorRecord, taskRuns }: Services,
  { externalUrl }: { externalUrl: string },
): OverviewDeps {
  return {
    database,
    dialect: settings.database.dialect,
    dataDir: settings.sharedDir,
    externalUrl,
    isUrlConfigured: settings.externalUrl !== undefined,
    sendsMails: mail !== undefined,
    coordinatorId: coordinatorRecord.id,
    taskRuns,
  }
}

/** The dependencies of the operations of the set-up. */
export function setUpDeps(
  { database, settings, mail, providers }: Services,
  { externalUrl }: { externalUrl: string },
): SetUpDeps {
  return {
    database,
    externalUrl,
    isUrlConfigured: settings.externalUrl !== undefined,
    mailTransport: mail?.transport,
    providers: providers.all,
    lastBackupAt: async () => (await readReports(settings.sharedDir)).last_backup?.finished_at,
  }
}

/** The dependencies of the operations on application settings. */
export function settingDeps({
  database,
  secrets,
  settings,
  instanceSettings,
  channel,
}: Services): SettingsDeps {
  return {
    database,
    secrets,
    fixed: settings.fixed,
    onChanged: async () => {
      await instanceSettings.load()
      await channel?.notifySettings()
    },
  }
}
