import type { ProviderSettings } from './provider-settings.js'

/** The URL at which a provider is asked, or to which it sends browsers first. */
export function providerAddress(settings: ProviderSettings): string {
  switch (settings.kind) {
    case 'openid':
      return settings.issuer
    case 'saml':
      return settings.idp.kind === 'metadata' ? settings.idp.url : settings.idp.facts.signOnUrl
  }
}
