import type { SettingsDeps } from '../instance/settings/settings.js'
import type { Services } from './services.js'

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
