import type { SecretBox } from '../../crypto/secret-box.js'
import type { Database } from '../../database/connect.js'
import { OpenIdProvider } from './openid-provider.js'
import type { ProviderSettings, SignInSettings } from './provider-settings.js'
import type { IdentityProvider } from './provider.js'
import { ProvenSignIns } from './saml/proven-sign-ins.js'
import { SamlProvider } from './saml/saml-provider.js'

interface ProviderDeps {
  database: Database
  secrets: SecretBox
  externalUrl: string
}

/** The identity providers of the settings. */
export class IdentityProviders {
  /** The one to which the sign-in page redirects; undefined if the page is shown. */
  readonly automatic: IdentityProvider | undefined
  readonly all: readonly IdentityProvider[]

  constructor({ providers, isAutomatic }: SignInSettings, deps: ProviderDeps) {
    this.all = providers.map((settings) => providerOf(settings, deps))
    this.automatic = isAutomatic ? this.all[0] : undefined
  }

  find(name: string): IdentityProvider | undefined {
    return this.all.find((provider) => provider.name === name)
  }
}

function providerOf(
  settings: ProviderSettings,
  { database, secrets, externalUrl }: ProviderDeps,
): IdentityProvider {
  const callback = callbackOf(externalUrl, settings.name)
  switch (settings.kind) {
    case 'openid':
      return new OpenIdProvider(settings, callback)
    case 'saml': {
      const own = `${externalUrl}/users/auth/${settings.name}`
      const addresses = { callback, metadata: `${own}/metadata`, logout: `${own}/single_logout` }
      return new SamlProvider(settings, addresses, new ProvenSignIns(database, secrets))
    }
  }
}

/** Each provider has an address of its own, so that none is given the code of another one. */
export function callbackOf(externalUrl: string, name: string): string {
  return `${externalUrl}/users/auth/${name}/callback`
}
