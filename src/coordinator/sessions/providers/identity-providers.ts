import type { SecretBox } from '../../crypto/secret-box.js'
import type { Database } from '../../database/connect.js'
import type { SharedCounts } from '../../http/rate-limits/shared-counts.js'
import { LdapProvider } from './ldap/ldap-provider.js'
import { OpenIdProvider } from './openid-provider.js'
import { PasswordAttempts } from './password-attempts.js'
import type { ProviderSettings, SignInSettings } from './provider-settings.js'
import { type IdentityProvider, type PasswordProvider, takesPassword } from './provider.js'
import { ProvenSignIns } from './saml/proven-sign-ins.js'
import { SamlProvider } from './saml/saml-provider.js'

interface ProviderDeps {
  database: Database
  secrets: SecretBox
  externalUrl: string
  /** Counts failed attempts for all coordinators. */
  shared?: SharedCounts
}

/** The identity providers of the settings. */
export class IdentityProviders {
  /** The one with which the sign-in page begins; undefined if it shows all ways to sign in. */
  readonly automatic: IdentityProvider | PasswordProvider | undefined
  readonly all: readonly (IdentityProvider | PasswordProvider)[]

  /** Limits the passwords that are tried at providers. */
  readonly passwordAttempts: PasswordAttempts

  constructor({ providers, isAutomatic }: SignInSettings, deps: ProviderDeps) {
    this.all = providers.map((settings) => createProvider(settings, deps))
    this.automatic = isAutomatic ? this.all[0] : undefined
    this.passwordAttempts = new PasswordAttempts(deps.shared)
  }

  /** Those to which the browser is sent. */
  get redirecting(): IdentityProvider[] {
    return this.all.filter((provider): provider is IdentityProvider => !takesPassword(provider))
  }

  /** Those whose password is typed here. */
  get withPassword(): PasswordProvider[] {
    return this.all.filter(takesPassword)
  }

  find(name: string): IdentityProvider | PasswordProvider | undefined {
    return this.all.find((provider) => provider.name === name)
  }

  findRedirecting(name: string): IdentityProvider | undefined {
    return this.redirecting.find((provider) => provider.name === name)
  }
}

function createProvider(
  settings: ProviderSettings,
  { database, secrets, externalUrl }: ProviderDeps,
): IdentityProvider | PasswordProvider {
  const callback = callbackOf(externalUrl, settings.name)
  switch (settings.kind) {
    case 'openid':
      return new OpenIdProvider(settings, callback)
    case 'saml': {
      const own = `${externalUrl}/users/auth/${settings.name}`
      const addresses = { callback, metadata: `${own}/metadata`, logout: `${own}/single_logout` }
      return new SamlProvider(settings, addresses, new ProvenSignIns(database, secrets))
    }
    case 'ldap':
      return new LdapProvider(settings)
  }
}

/** Each provider has an address of its own, so that none is given the code of another one. */
export function callbackOf(externalUrl: string, name: string): string {
  return `${externalUrl}/users/auth/${name}/callback`
}
