import { versioned } from '../protocol/resource.js'
import { GROUP_SCHEMA } from '../protocol/schemas.js'
import type { GroupMember, GroupRow } from '../stores/group-store.js'

/**
 * The resource of a group (RFC 7643, section 4.2). `baseUrl` is the address of this service; `members` is undefined if
 * they are left out.
 */
export function presentGroup(
  { id, external_id, display_name, created_at, updated_at }: GroupRow,
  members: readonly GroupMember[] | undefined,
  baseUrl: string,
): Record<string, unknown> {
  const resource = {
    schemas: [GROUP_SCHEMA],
    id: String(id),
    externalId: external_id ?? undefined,
    displayName: display_name,
    members: members?.map(({ user_id, user_name }) => ({
      value: String(user_id),
      display: user_name,
      type: 'User',
      $ref: `${baseUrl}/Users/${user_id}`,
    })),
    meta: {
      resourceType: 'Group',
      created: new Date(created_at).toISOString(),
      lastModified: new Date(updated_at).toISOString(),
      location: `${baseUrl}/Groups/${id}`,
    },
  }
  // The same with and without members.
  return versioned(resource, `${id} ${updated_at}`)
}
