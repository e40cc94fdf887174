import type { ProviderRules } from '../../../../src/coordinator/sessions/providers/provider-settings.js'

/** Signs in to linked accounts alone. */
export const STRICT: ProviderRules = {
  allowedDomains: [],
  newAccounts: false,
  newAccountsExternal: false,
  newAccountsApproval: false,
  linkByVerifiedEmail: false,
  requiredClaims: new Map(),
  groups: new Map(),
}
