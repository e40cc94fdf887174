import { SwitchyardError } from '../../../lib/errors.js'
import type { ProviderRules } from './provider-settings.js'

/** What a provider has proven about the user at the browser. */
export interface ProvenIdentity {
  /** Permanent ID of the user at the provider. */
  subject: string
  /** ID of the user in messages about sign-outs, if it is not `subject`. */
  logoutSubject?: string
  /** ID of the session at the provider; null if it gives none. */
  sid: string | null
  /** When the user gave the provider a password or the like, in milliseconds since 1970; undefined if it does not say. */
  authenticatedAt: number | undefined
  username: string | undefined
  name: string | undefined
  email: string | undefined
  /** Whether the provider vouches that the address belongs to the user. */
  isEmailVerified: boolean
  groups: readonly string[]
  /** Signed statements of the provider, for `required_claims`. */
  claims: Readonly<Record<string, unknown>>
  /** All statements about the user, for the page that tries the provider. */
  facts: Readonly<Record<string, unknown>>
}

/** A sign-in that continues at the provider. */
export interface BegunSignIn {
  /** Where the browser goes. */
  url: URL
  /** What comes back with the browser, once. */
  state: string
  /** What `finish` needs. It stays secret, in a sealed cookie, so it is short. */
  kept: Readonly<Record<string, string>>
}

/** An identity provider to which the browser is sent, and from which it comes back. */
export interface IdentityProvider {
  /** In addresses, and in the identities of users. */
  readonly name: string
  /** The name that users read. */
  readonly label: string
  readonly rules: ProviderRules
  /** The settings without secrets, as names and values for administrators. */
  describe(): [name: string, value: string][]
  /** `asksAgain`: the user authenticates even with a session at the provider. Throws `ProviderError`. */
  begin(options: { asksAgain: boolean }): Promise<BegunSignIn>
  /** `url` is the address with which the browser came back. Throws `ProviderError`. */
  finish(url: URL, begun: Pick<BegunSignIn, 'state' | 'kept'>): Promise<ProvenIdentity>
  /** The session that a message of the provider ends. Throws `ProviderError`. */
  readLogout(token: string): Promise<EndedAtProvider>
}

/** What has ended at a provider: a session, or all sessions of a user; at least one of the two is given. */
export interface EndedAtProvider {
  subject: string | undefined
  sid: string | undefined
  /** ID of the message, which is valid once. */
  messageId: string
}

/** A provider is not reachable, has refused the user, or what it says is not valid. `message` is for users. */
export class ProviderError extends SwitchyardError {
  readonly name = 'ProviderError'
  readonly code = 'IDENTITY_PROVIDER'

  constructor(
    readonly kind: 'unreachable' | 'refused' | 'invalid',
    message: string,
    cause: unknown,
  ) {
    super(message, { cause })
  }
}
