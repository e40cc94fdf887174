import { readCoordinatorSettings } from '../../../coordinator/start/config/settings.js'

/** @param flags by the name of their setting */
export async function disableTwoFactor(
  flags: Record<string, string | undefined>,
  username: string,
): Promise<void> {
  const settings = readCoordinatorSettings(flags, process.env)
  const { turnOffTwoFactor } = await import('../../../coordinator/start/turn-off-two-factor.js')
  await turnOffTwoFactor(settings, username)
  console.log(`Two-factor authentication of ${username} is off.`)
}
