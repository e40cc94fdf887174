import { readCoordinatorSettings } from '../../../coordinator/start/config/settings.js'

/** @param flags by the name of their setting */
export async function printScimToken(
  flags: Record<string, string | undefined>,
  provider: string,
): Promise<void> {
  const settings = readCoordinatorSettings(flags, process.env)
  const { createTokenOfProvider } = await import('../../../coordinator/start/create-scim-token.js')
  console.log(await createTokenOfProvider(settings, provider))
}
