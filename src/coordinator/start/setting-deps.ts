import type { OverviewDeps } from '../instance/overview/overview.js'
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
