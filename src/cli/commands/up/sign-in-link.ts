import { findAdminToken } from './admin-token.js'
import { ApiClient } from './api-client.js'
import { CannotStartError, UnexpectedResponseError } from './errors.js'

/** The last lines of the output: how the user signs in with a browser. */
export async function signInLines(coordinator: { url: string; dataDir: string }): Promise<string[]> {
  const link = await signInLink(coordinator)
  const how =
    link === undefined
      ? 'Open this address in a browser and sign in with the token of an administrator:'
      : 'Open this link in a browser to sign in as root. It works once, within 24 hours:'
  return ['', how, '', `  ${link ?? `${coordinator.url}/users/sign_in`}`, '']
}

/** Undefined if the administrator's token is not at hand, or no longer valid. */
async function signInLink({ url, dataDir }: { url: string; dataDir: string }): Promise<string | undefined> {
  try {
    return await new ApiClient(url, await findAdminToken(dataDir)).createSignInLink()
  } catch (error) {
    if (error instanceof CannotStartError || error instanceof UnexpectedResponseError) return undefined
    throw error
  }
}
