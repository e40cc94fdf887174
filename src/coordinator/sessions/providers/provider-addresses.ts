import type { ProviderSettings } from './provider-settings.js'

/** The URLs at which a provider is asked, or to which it sends browsers first. */
export function providerAddresses(settings: ProviderSettings): readonly string[] {
  switch (settings.kind) {
    case 'openid':
      return [settings.issuer]
    case 'saml':
      return [settings.idp.kind === 'metadata' ? settings.idp.url : settings.idp.facts.signOnUrl]
    case 'ldap':
      return settings.urls
  }
}
