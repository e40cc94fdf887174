import { OpenIdProvider } from './openid-provider.js'
import type { SignInSettings } from './provider-settings.js'
import type { IdentityProvider } from './provider.js'

/** The identity providers of the settings. */
export class IdentityProviders {
  /** The one to which the sign-in page redirects; undefined if the page is shown. */
  readonly automatic: IdentityProvider | undefined
  readonly all: readonly IdentityProvider[]

  constructor({ providers, isAutomatic }: SignInSettings, externalUrl: string) {
    this.all = providers.map(
      (settings) => new OpenIdProvider(settings, callbackOf(externalUrl, settings.name)),
    )
    this.automatic = isAutomatic ? this.all[0] : undefined
  }

  find(name: string): IdentityProvider | undefined {
    return this.all.find((provider) => provider.name === name)
  }
}

/** Each provider has an address of its own, so that none is given the code of another one. */
export function callbackOf(externalUrl: string, name: string): string {
  return `${externalUrl}/users/auth/${name}/callback`
}
