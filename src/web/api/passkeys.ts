import { startAuthentication, startRegistration, WebAuthnError } from '@simplewebauthn/browser'
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'

import { requestJson } from './client.js'

/**
 * Creates a passkey in the browser.
 * @param path in the API, which gives the options
 * @returns what the API takes for it
 * @throws {Error} with a message for the user, if the browser gives none
 */
export async function createPasskey(path: string): Promise<string> {
  const optionsJSON = await requestJson<PublicKeyCredentialCreationOptionsJSON>(path, { method: 'POST' })
  return explaining(() => startRegistration({ optionsJSON }))
}

/** As `createPasskey`, for a signature with a passkey that exists. */
export async function signWithPasskey(path: string): Promise<string> {
  const optionsJSON = await requestJson<PublicKeyCredentialRequestOptionsJSON>(path, { method: 'POST' })
  return explaining(() => startAuthentication({ optionsJSON }))
}

async function explaining(ask: () => Promise<object>): Promise<string> {
  try {
    return JSON.stringify(await ask())
  } catch (error) {
    if (error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED') {
      throw new Error('The device has a passkey of this account already.', { cause: error })
    }
    throw new Error('The browser gave no passkey. Try again.', { cause: error })
  }
}
