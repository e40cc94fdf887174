import type { UserStatement } from '../protocol/read-user.js'
import { versioned } from '../protocol/resource.js'
import { USER_SCHEMA } from '../protocol/schemas.js'
import type { ManagedUser } from '../stores/user-store.js'

/** The resource of a user (RFC 7643, section 4.1). `baseUrl` is the address of this service. */
export function presentUser(user: ManagedUser, baseUrl: string): Record<string, unknown> {
  const { user_id, external_id, user_name, display_name, email, active } = user
  return versioned({
    schemas: [USER_SCHEMA],
    id: String(user_id),
    externalId: external_id,
    userName: user_name,
    name: nameOf(user),
    displayName: display_name ?? undefined,
    emails: [{ value: email, type: 'work', primary: true }],
    active,
    meta: {
      resourceType: 'User',
      created: new Date(user.created_at).toISOString(),
      lastModified: new Date(user.updated_at).toISOString(),
      location: `${baseUrl}/Users/${user_id}`,
    },
  })
}

function nameOf({ formatted_name, given_name, family_name }: ManagedUser): object | undefined {
  if (formatted_name === null && given_name === null && family_name === null) return undefined
  return {
    formatted: formatted_name ?? undefined,
    givenName: given_name ?? undefined,
    familyName: family_name ?? undefined,
  }
}

/** What the provider has said so far. */
export function statementOf(user: ManagedUser): UserStatement {
  return {
    userName: user.user_name,
    externalId: user.external_id,
    email: user.email,
    displayName: user.display_name,
    formattedName: user.formatted_name,
    givenName: user.given_name,
    familyName: user.family_name,
    active: user.active,
  }
}
