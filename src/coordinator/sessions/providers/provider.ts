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

/** What identity providers of both forms have: those to which the browser is sent, and those that take a password. */
export interface Provider {
  /** In addresses, and in the identities of users. */
  readonly name: string
  /** The name that users read. */
  readonly label: string
  readonly rules: ProviderRules
  /** The settings without secrets, as names and values for administrators. */
  describe(): [name: string, value: string][]
}

/** An identity provider to which the browser is sent, and from which it comes back. */
export interface IdentityProvider extends Provider {
  /** `asksAgain`: the user authenticates even with a session at the provider. Throws `ProviderError`. */
  begin(options: { asksAgain: boolean }): Promise<BegunSignIn>
  /** `url` is the address with which the browser came back. Throws `ProviderError`. */
  finish(url: URL, begun: Pick<BegunSignIn, 'state' | 'kept'>): Promise<ProvenIdentity>
  /** The session that a message of the provider ends. Throws `ProviderError`. */
  readLogout(token: string): Promise<EndedAtProvider>
}

/** An identity provider that checks a username and a password, which the user types into a page of this instance. */
export interface PasswordProvider extends Provider {
  /**
   * The user with this username and password; undefined for wrong ones, and for an empty password, for which no server is
   * asked. Throws `ProviderError`.
   */
  verify(
    given: { username: string; password: string },
    tryPassword: TryPassword,
  ): Promise<ProvenIdentity | undefined>
  /** What keeps accounts in step with the provider between sign-ins; undefined if the settings name no account for that. */
  readonly directory: Directory | undefined
}

/**
 * Limits the passwords that are tried for the user with this permanent ID: resolves to the result of `check`, or to false
 * without calling it after too many wrong ones. `refuse` takes the time of a check then.
 */
export type TryPassword = (
  subject: string,
  check: () => Promise<boolean>,
  refuse: () => Promise<false>,
) => Promise<boolean>

/** Reads users of a provider without their passwords. */
export interface Directory {
  /** How many percent of the accounts may be blocked at once. */
  readonly maxBlockedPercent: number
  /** Whether an entry can have this permanent ID. */
  isId(subject: string): boolean
  /** Calls `work` with a connection. Throws `ProviderError`. */
  read<T>(work: (reader: DirectoryReader) => Promise<T>): Promise<T>
}

/** All methods throw `ProviderError`: a failed search finds nobody to be missing. */
export interface DirectoryReader {
  /** The users with these permanent IDs who are there, by ID. */
  find(subjects: readonly string[]): Promise<ReadonlyMap<string, DirectoryUser>>
  /** Whether there is any user at all. */
  hasUsers(): Promise<boolean>
}

export interface DirectoryUser {
  /** Why the user cannot sign in for now; undefined = they can. */
  closed: 'disabled' | 'expired' | undefined
  /** Reads the groups of the user, as at a sign-in. */
  groups(): Promise<readonly string[]>
}

export function takesPassword(provider: IdentityProvider | PasswordProvider): provider is PasswordProvider {
  return 'verify' in provider
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
