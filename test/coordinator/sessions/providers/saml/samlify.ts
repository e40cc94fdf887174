import { createRequire } from 'node:module'

/** What the tests use of the package, whose own types contain those of browsers and so change the types of Node.js. */
interface Samlify {
  setSchemaValidator: (validator: { validate: (xml: string) => Promise<string> }) => void
  IdentityProvider: (settings: object) => SamlifyProvider
  ServiceProvider: (settings: object) => SamlifyService
}

export interface SamlifyService {
  entityMeta: {
    getEntityID: () => string
    getAssertionConsumerService: (binding: 'post') => string
    getSingleLogoutService: (binding: 'redirect' | 'post') => string
  }
}

interface Made {
  context: string
}

interface MakeOptions {
  relayState?: string
  customTagReplacement: () => Made & { id: string }
}

export interface SamlifyProvider {
  getMetadata: () => string
  parseLoginRequest: (
    service: SamlifyService,
    binding: 'redirect',
    request: { query: Record<string, string>; octetString: string },
  ) => Promise<{ extract: { request: { id: string } }; samlContent: string }>
  createLoginResponse: (
    service: SamlifyService,
    request: object,
    binding: 'post',
    user: object,
    options: MakeOptions,
  ) => Promise<Made>
  createLogoutRequest: (
    service: SamlifyService,
    binding: 'redirect' | 'post',
    user: object,
    options: MakeOptions,
  ) => Made
}

const require = createRequire(import.meta.url)
export const samlify = require('samlify') as Samlify

samlify.setSchemaValidator({ validate: () => Promise.resolve('not validated') })
