import type { AttributeNames, IdpSettings, KeyPair, NameIdFormat } from './saml/saml-settings.js'

/** Which users a provider may sign in, and what their accounts get. The same for every kind of provider. */
export interface ProviderRules {
  /** Only verified addresses of these domains sign in, in lower case; none = any address, or none. */
  allowedDomains: readonly string[]
  /** Whether an identity without an account gets one. */
  newAccounts: boolean
  /** Whether such accounts are external. */
  newAccountsExternal: boolean
  /** Whether an administrator approves such accounts before their first use. */
  newAccountsApproval: boolean
  /** Whether an identity is linked to the account that has confirmed its verified address. */
  linkByVerifiedEmail: boolean
  /** Each claim must have one of the values. */
  requiredClaims: ReadonlyMap<string, readonly string[]>
  /** As `requiredClaims`, but of a second factor at the provider, which is not asked for again; none = it is. */
  trustedSecondFactor: ReadonlyMap<string, readonly string[]>
  /** Memberships by the value of the claim of groups. */
  groups: ReadonlyMap<string, readonly GroupGrant[]>
}

/** A membership in a group that a provider gives. */
export interface GroupGrant {
  /** Full path of the group. */
  path: string
  accessLevel: number
}

/** Names of the claims that describe the user. */
export interface ClaimNames {
  username: string
  name: string
  email: string
  groups: string
}

/** An OpenID Connect provider. */
export interface OpenIdSettings {
  kind: 'openid'
  /** In addresses, and in the identities of users. */
  name: string
  /** The name that users read. */
  label: string
  issuer: string
  clientId: string
  /** Undefined for a public client. */
  clientSecret: string | undefined
  scopes: readonly string[]
  /** Claim of the ID token with the permanent ID of the user; SCIM may know users by another one than `sub`. */
  subjectClaim: string
  claims: ClaimNames
  rules: ProviderRules
}

/** A SAML 2.0 provider. */
export interface SamlSettings {
  kind: 'saml'
  /** In addresses, and in the identities of users. */
  name: string
  /** The name that users read. */
  label: string
  /** Of this instance at the provider; undefined = the address of its metadata. */
  entityId: string | undefined
  idp: IdpSettings
  /** Whether the response has to be signed too, beside the assertion. */
  isResponseSigned: boolean
  /** Signs requests and decrypts assertions; undefined = neither. */
  keyPair: KeyPair | undefined
  nameIdFormat: NameIdFormat
  /** The attribute that identifies users instead of the NameID. */
  subjectAttribute: string | undefined
  attributes: AttributeNames
  /** Whether the provider vouches for the addresses of its users. */
  emailsVerified: boolean
  rules: ProviderRules
}

/** A directory that is asked over LDAP, such as OpenLDAP or Active Directory. */
export interface LdapSettings {
  kind: 'ldap'
  /** In the identities of users. */
  name: string
  /** The name that users read. */
  label: string
  /** Servers with the same content, as `ldaps://host:port` or `ldap://host:port`; the first one that responds is used. */
  urls: readonly string[]
  /** Whether connections to `ldap:` are encrypted before anything else is sent. */
  startTls: boolean
  /** Certificates of the authorities, as PEM; undefined = those of Node.js. */
  authorities: string | undefined
  /** Milliseconds to connect, and for each request. */
  timeout: number
  /** The account that searches; undefined = anonymous. */
  account: { dn: string; password: string } | undefined
  /** Below which users are searched. */
  base: string
  /** What users match, beside the username. */
  userFilter: string
  attributes: LdapAttributes
  /** Whether users cannot choose their address in the directory themselves. */
  isEmailVerified: boolean
  groups: LdapGroupSettings
  /** How many percent of the accounts may be blocked at once because their entries are gone. */
  maxBlockedPercent: number
  rules: ProviderRules
}

/** Names of the attributes that describe the user. */
export interface LdapAttributes {
  username: string
  name: string
  email: string
  /** Permanent ID. */
  id: string
}

export interface LdapGroupSettings {
  /** Below which groups are searched. */
  base: string
  filter: string
  /** Attribute whose values `ProviderRules.groups` maps. */
  name: string
  /** Attribute with the DN of each member, or with the username if it is `memberUid`. */
  member: string
  /** How groups within groups are found. `in_chain`: by the server, with the matching rule of Active Directory. */
  nested: 'no' | 'walk' | 'in_chain'
}

export type ProviderSettings = OpenIdSettings | SamlSettings | LdapSettings

export interface SignInSettings {
  /** Whether the sign-in page redirects to the only provider. */
  isAutomatic: boolean
  providers: readonly ProviderSettings[]
}
