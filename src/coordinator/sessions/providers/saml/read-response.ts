import { ProviderError } from '../provider.js'
import { childOf, isElement, neededAttribute, neededChild, type XmlElement } from './xml-elements.js'

const STATUS = 'urn:oasis:names:tc:SAML:2.0:status:'
/** Longest message of a provider that is shown, in characters. */
const MAX_MESSAGE = 300

/**
 * Checks what a response says about itself, and returns the ID of the request that it responds to. Throws for a response
 * of another provider or for another address, and `ProviderError` for a refusal, and for one without a request: anybody
 * could have sent the browser here with the response of a sign-in of their own.
 */
export function checkResponse(
  response: XmlElement,
  { issuer, destination, label }: { issuer: string; destination: string; label: string },
): string {
  if (!isElement(response, 'protocol', 'Response')) throw new Error('The message is not a Response')
  if (neededAttribute(response, 'Version') !== '2.0') throw new Error('The version is not 2.0')
  if ((response.attributes.get('Destination') ?? destination) !== destination) {
    throw new Error('The response is for another address')
  }
  const issued = childOf(response, 'assertion', 'Issuer')?.text.trim() ?? issuer
  if (issued !== issuer) throw new Error(`The issuer is ${issued}`)
  const inResponseTo = response.attributes.get('InResponseTo') ?? ''
  if (inResponseTo === '') {
    const text = `Sign-ins with ${label} begin here: go to the sign-in page, and choose "Sign in with ${label}" there.`
    throw new ProviderError('refused', text, undefined)
  }
  const status = neededChild(response, 'protocol', 'Status')
  const code = neededChild(status, 'protocol', 'StatusCode')
  if (neededAttribute(code, 'Value') === `${STATUS}Success`) return inResponseTo
  const detail = childOf(code, 'protocol', 'StatusCode') ?? code
  const message = childOf(status, 'protocol', 'StatusMessage')?.text.trim() ?? ''
  const reason = message || neededAttribute(detail, 'Value').replace(STATUS, '')
  throw new ProviderError(
    'refused',
    `${label} has not signed you in: ${reason.slice(0, MAX_MESSAGE)}`,
    undefined,
  )
}
