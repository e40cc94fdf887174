import type { Filter } from 'ldapts'

import type { LdapSettings } from '../provider-settings.js'
import { invalid, type LdapConnection } from './connection.js'

/** LDAP_MATCHING_RULE_IN_CHAIN: Active Directory follows the members of members itself (MS-ADTS, section 3.1.1.3.4.4.3). */
const IN_CHAIN = '1.2.840.113556.1.4.1941'
/** The attribute of groups that names members by username (RFC 2307). */
const MEMBER_UID = 'memberuid'
/** Maximum number of groups of a user. A part of them would take memberships away, so more are an error. */
const MAX_GROUPS = 1000
/** Levels of groups within groups that are followed. */
const MAX_DEPTH = 10
/** Number of members in one filter. */
const BATCH = 50

/** Reads the names of the groups of a user, with those around them if the settings say so. */
export async function findGroups(
  connection: LdapConnection,
  settings: LdapSettings,
  user: { dn: string; username: string | undefined },
): Promise<string[]> {
  const { member, nested, name } = settings.groups
  const first = member.toLowerCase() === MEMBER_UID ? user.username : user.dn
  if (first === undefined) return []
  const found = new Map<string, readonly string[]>()
  let members = [first]
  for (let depth = 0; members.length > 0 && depth <= MAX_DEPTH; depth++) {
    const around = await groupsOf(connection, settings, members)
    // Groups may be members of each other.
    const added = around.filter(({ dn }) => !found.has(dn.toLowerCase()))
    for (const group of added) found.set(group.dn.toLowerCase(), group.texts(name))
    if (found.size > MAX_GROUPS)
      throw invalid(settings, new Error(`${user.dn} has more than ${MAX_GROUPS} groups`))
    members = nested === 'walk' ? added.map(({ dn }) => dn) : []
  }
  return [...found.values()].flat()
}

async function groupsOf(connection: LdapConnection, settings: LdapSettings, members: readonly string[]) {
  const { base, name } = settings.groups
  const found = []
  for (let start = 0; start < members.length; start += BATCH) {
    const filter = filterOf(connection, settings, members.slice(start, start + BATCH))
    found.push(...(await connection.search({ base, filter, attributes: [name], limit: MAX_GROUPS })))
  }
  return found
}

function filterOf(
  { ldap }: Pick<LdapConnection, 'ldap'>,
  { groups: { filter, member, nested } }: LdapSettings,
  members: readonly string[],
): Filter {
  const ofMember = (value: string) =>
    nested === 'in_chain'
      ? new ldap.ExtensibleFilter({ matchType: member, rule: IN_CHAIN, value })
      : new ldap.EqualityFilter({ attribute: member, value })
  return new ldap.AndFilter({
    filters: [ldap.FilterParser.parseString(filter), new ldap.OrFilter({ filters: members.map(ofMember) })],
  })
}
