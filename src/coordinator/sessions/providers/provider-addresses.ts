import { isLoopbackHost } from '../../../lib/is-loopback-host.js'
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

/** Those that are asked over the network without TLS: what they say, anybody on the way can say. */
export function addressesOverPlainHttp(
  providers: readonly ProviderSettings[],
): { name: string; address: string }[] {
  return providers.flatMap((provider) =>
    providerAddresses(provider)
      .filter((address) => {
        const { protocol, hostname } = new URL(address)
        return protocol === 'http:' && !isLoopbackHost(hostname)
      })
      .map((address) => ({ name: provider.name, address })),
  )
}
