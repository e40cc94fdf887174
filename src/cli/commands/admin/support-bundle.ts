import {
  readCoordinatorSecrets,
  readCoordinatorSettings,
} from '../../../coordinator/start/config/settings.js'

/**
 * @param flags by the name of their setting
 * @param file the zip; by default a new one in the current folder
 */
export async function writeInstanceBundle(
  flags: Record<string, string | undefined>,
  file: string | undefined,
): Promise<void> {
  const settings = readCoordinatorSettings(flags, process.env)
  const target =
    file ?? `switchyard-support-${new Date().toISOString().replaceAll(':', '-').slice(0, 19)}.zip`
  const { writeSupportBundle } = await import('../../../coordinator/support-bundle/write-support-bundle.js')
  const problems = await writeSupportBundle({
    settings,
    secrets: readCoordinatorSecrets(process.env),
    environment: process.env,
    target,
  })
  for (const problem of problems) console.error(`Left out: ${problem}`)
  console.log(`Wrote ${target}. Read it before you send it to anybody.`)
}
