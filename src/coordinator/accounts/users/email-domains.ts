import type { EffectiveSettings } from '../../database/tables/application-settings.js'
import { invalidRecord } from '../../http/errors.js'

type Domains = Pick<EffectiveSettings, 'domain_allowlist' | 'domain_denylist' | 'domain_denylist_enabled'>

/** Throws 400 for an address of a domain that administrators do not allow. */
export function checkDomain(email: string, settings: Domains): void {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  const { domain_allowlist: allowed, domain_denylist: denied, domain_denylist_enabled: isDenying } = settings
  const isAllowed = allowed.length === 0 || allowed.some((pattern) => isMatch(pattern, domain))
  const isDenied = isDenying && denied.some((pattern) => isMatch(pattern, domain))
  if (isAllowed && !isDenied) return
  throw invalidRecord({ email: ['is not from an allowed domain.'] })
}

/** `*` stands for any text. Linear in the length of the domain. */
function isMatch(pattern: string, domain: string): boolean {
  const [first = '', ...rest] = pattern.trim().toLowerCase().split('*')
  if (rest.length === 0) return domain === first
  const last = rest.pop() ?? ''
  if (!domain.startsWith(first) || domain.length < first.length + last.length) return false
  let at = first.length
  for (const part of rest) {
    const found = domain.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return domain.endsWith(last) && domain.length - last.length >= at
}
