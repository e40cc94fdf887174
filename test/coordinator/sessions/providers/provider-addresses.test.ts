import { expect, test } from 'vitest'

import { addressesOverPlainHttp } from '../../../../src/coordinator/sessions/providers/provider-addresses.js'
import { SamlServer } from './saml/saml-server.js'
import { samlCorp } from './saml/scene.js'
import { corp } from './scene.js'

const byMetadata = (url: string) =>
  samlCorp(new SamlServer(), { idp: { kind: 'metadata', url, entityId: undefined } })

test.each([
  [corp('http://id.example.com'), true],
  [corp('https://id.example.com'), false],
  [corp('http://127.0.0.1:8080'), false],
  [byMetadata('http://id.example.com/metadata'), true],
  [byMetadata('http://localhost:8080/metadata'), false],
  [samlCorp(new SamlServer({ entityId: 'http://id.example.com' })), true],
  [samlCorp(new SamlServer()), false],
])('the coordinator warns of a provider at http:// that is not on this machine: %#', (settings, isPlain) => {
  expect(addressesOverPlainHttp([settings]).length > 0).toBe(isPlain)
})
