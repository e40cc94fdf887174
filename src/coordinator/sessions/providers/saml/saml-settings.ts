/** Formats of the ID of a user that stay the same (SAML Core 2.0, section 8.3). */
export const NAME_ID_FORMATS = {
  persistent: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  email: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  unspecified: 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
} as const

export type NameIdFormat = keyof typeof NAME_ID_FORMATS

/** Names of the attributes that describe the user; the first that the assertion has is used. */
export interface AttributeNames {
  username: readonly string[]
  name: readonly string[]
  /** Without a name, it is put together from these two. */
  givenName: readonly string[]
  surname: readonly string[]
  email: readonly string[]
  /** The values of all of them. */
  groups: readonly string[]
}

/** What the settings, or the metadata of the provider, say of it. */
export interface IdpFacts {
  entityId: string
  /** Where the browser is sent with a request (binding HTTP-Redirect). */
  signOnUrl: string
  /** Where the browser is sent with the response to a logout request; undefined = nowhere. */
  logoutUrl: string | undefined
  /** In PEM; several while a key is replaced. */
  certificates: readonly string[]
}

/** Where the facts come from. */
export type IdpSettings =
  | { kind: 'fixed'; facts: IdpFacts }
  /** `entityId`: the provider in metadata of several. */
  | { kind: 'metadata'; url: string; entityId: string | undefined }

/** The key of this instance, in PEM, and its certificate. */
export interface KeyPair {
  key: string
  certificate: string
}

/** The addresses of this instance that a provider knows. */
export interface SamlAddresses {
  /** Where the response arrives, and where the browser continues. */
  callback: string
  metadata: string
  logout: string
}
