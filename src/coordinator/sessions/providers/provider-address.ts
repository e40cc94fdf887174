import { isLoopbackHost } from '../../../lib/is-loopback-host.js'
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

/** Those that are asked over the network without TLS: what they say, anybody on the way can say. */
export function providersOverPlainHttp(providers: readonly ProviderSettings[]): ProviderSettings[] {
  return providers.filter((provider) => {
    const { protocol, hostname } = new URL(providerAddress(provider))
    return protocol === 'http:' && !isLoopbackHost(hostname)
  })
}
