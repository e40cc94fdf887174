export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error'
export const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'
const CONFIG_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'
const TYPE_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:ResourceType'
const SCHEMA_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Schema'

/** Most resources of a page. */
export const MAX_COUNT = 200

type Resource = Record<string, unknown> & { id: string }

/** What this service supports (RFC 7643, section 5). */
export function serviceProviderConfig(baseUrl: string): Record<string, unknown> {
  const no = { supported: false }
  return {
    schemas: [CONFIG_SCHEMA],
    patch: { supported: true },
    bulk: { ...no, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: MAX_COUNT },
    changePassword: no,
    sort: no,
    etag: { supported: true },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Bearer token',
        description: 'The SCIM token of an identity provider',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${baseUrl}/ServiceProviderConfig` },
  }
}

export function resourceTypes(baseUrl: string): Resource[] {
  return [
    { id: 'User', endpoint: '/Users', schema: USER_SCHEMA },
    { id: 'Group', endpoint: '/Groups', schema: GROUP_SCHEMA },
  ].map(({ id, endpoint, schema }) => ({
    schemas: [TYPE_SCHEMA],
    id,
    name: id,
    endpoint,
    schema,
    meta: { resourceType: 'ResourceType', location: `${baseUrl}/ResourceTypes/${id}` },
  }))
}

export function schemas(baseUrl: string): Resource[] {
  return [
    { id: USER_SCHEMA, name: 'User', attributes: USER_ATTRIBUTES },
    { id: GROUP_SCHEMA, name: 'Group', attributes: GROUP_ATTRIBUTES },
  ].map((schema) => ({
    schemas: [SCHEMA_SCHEMA],
    ...schema,
    description: `The ${schema.name.toLowerCase()} of an identity provider`,
    meta: { resourceType: 'Schema', location: `${baseUrl}/Schemas/${schema.id}` },
  }))
}

interface Characteristics {
  type?: 'string' | 'boolean' | 'complex' | 'reference'
  multiValued?: boolean
  required?: boolean
  caseExact?: boolean
  mutability?: 'readWrite' | 'readOnly' | 'immutable'
  uniqueness?: 'none' | 'server'
  subAttributes?: object[]
  referenceTypes?: string[]
}

/** Defaults of RFC 7643, section 2.2. */
function attribute(name: string, characteristics: Characteristics = {}): object {
  return {
    name,
    type: 'string',
    multiValued: false,
    required: false,
    caseExact: false,
    mutability: 'readWrite',
    returned: 'default',
    uniqueness: 'none',
    ...characteristics,
  }
}

const USER_ATTRIBUTES = [
  attribute('userName', { required: true, uniqueness: 'server' }),
  attribute('externalId', { required: true, caseExact: true, uniqueness: 'server' }),
  attribute('name', {
    type: 'complex',
    subAttributes: [attribute('formatted'), attribute('givenName'), attribute('familyName')],
  }),
  attribute('displayName'),
  attribute('active', { type: 'boolean' }),
  attribute('emails', {
    type: 'complex',
    multiValued: true,
    subAttributes: [attribute('value'), attribute('type'), attribute('primary', { type: 'boolean' })],
  }),
]

const GROUP_ATTRIBUTES = [
  attribute('displayName', { required: true, uniqueness: 'server' }),
  attribute('externalId', { caseExact: true }),
  attribute('members', {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      attribute('value', { mutability: 'immutable' }),
      attribute('display', { mutability: 'readOnly' }),
      attribute('type', { mutability: 'readOnly' }),
      attribute('$ref', { type: 'reference', mutability: 'readOnly', referenceTypes: ['User'] }),
    ],
  }),
]
