import { readCoordinatorSettings } from '../../../coordinator/start/config/settings.js'

/** @param flags by the name of their setting */
export async function adoptInstanceFolder(flags: Record<string, string | undefined>): Promise<void> {
  process.umask(0o077)
  const settings = readCoordinatorSettings(flags, process.env)
  const { adoptFolders } = await import('../../../coordinator/start/installation.js')
  const aside = await adoptFolders(settings)
  if (aside !== undefined) console.log(`The files of the former installation are in ${aside} now.`)
  console.log(`The next start of a coordinator ties its database with ${settings.sharedDir}.`)
}
