import type {
  OpenIdSettings,
  ProviderRules,
} from '../../../../src/coordinator/sessions/providers/provider-settings.js'

/** How the coordinator is registered at providers. */
export const CLIENT = { id: 'switchyard', secret: 'the secret of the client' }

export const STRICT: ProviderRules = {
  allowedDomains: [],
  newAccounts: false,
  newAccountsExternal: false,
  newAccountsApproval: false,
  linkByVerifiedEmail: false,
  requiredClaims: new Map(),
  trustedSecondFactor: new Map(),
  groups: new Map(),
}

/** The settings of a provider named `corp`. */
export function corp(issuer: string, rules: Partial<ProviderRules> = {}, name = 'corp'): OpenIdSettings {
  return {
    kind: 'openid',
    name,
    label: name === 'corp' ? 'Corp' : name,
    issuer,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    scopes: ['openid', 'profile', 'email'],
    subjectClaim: 'sub',
    claims: { username: 'preferred_username', name: 'name', email: 'email', groups: 'groups' },
    rules: { ...STRICT, ...rules },
  }
}
