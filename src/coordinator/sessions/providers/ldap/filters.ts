import type { Filter } from 'ldapts'

import type { LdapSettings } from '../provider-settings.js'
import type { LdapModule } from './connection.js'
import { idValue } from './entry.js'

// Values are parts of the encoded filter, never of a text that is parsed: nothing in them is a filter (RFC 4515).

/** Matches the users of the settings whose username is this one. */
export function usernameFilter(ldap: LdapModule, settings: LdapSettings, username: string): Filter {
  const { attributes } = settings
  return userFilter(ldap, settings, [
    new ldap.EqualityFilter({ attribute: attributes.username, value: username }),
  ])
}

/** Matches the users of the settings with one of these permanent IDs. */
export function idFilter(ldap: LdapModule, settings: LdapSettings, ids: readonly string[]): Filter {
  const attribute = settings.attributes.id
  return userFilter(
    ldap,
    settings,
    ids.flatMap((id) => {
      const value = idValue(attribute, id)
      return value === undefined ? [] : new ldap.EqualityFilter({ attribute, value })
    }),
  )
}

export function anyUserFilter(ldap: LdapModule, { userFilter: text }: LdapSettings): Filter {
  return ldap.FilterParser.parseString(text)
}

function userFilter(ldap: LdapModule, settings: LdapSettings, one: Filter[]): Filter {
  return new ldap.AndFilter({ filters: [anyUserFilter(ldap, settings), new ldap.OrFilter({ filters: one })] })
}
