import { readCoordinatorSettings } from '../../../coordinator/start/config/settings.js'

/**
 * Prints a link that signs an administrator in, for an installation whose sign-in does not work.
 *
 * @param flags by the name of their setting
 */
export async function printSignInLink(
  flags: Record<string, string | undefined>,
  username: string | undefined,
): Promise<void> {
  const settings = readCoordinatorSettings(flags, process.env)
  const { createLinkInInstallation } = await import('../../../coordinator/start/sign-in-link.js')
  const { url, user, expiresAt } = await createLinkInInstallation(settings, username)
  console.log(`This link signs ${user.username} in once, until ${new Date(expiresAt).toISOString()}:`)
  console.log(url)
}
