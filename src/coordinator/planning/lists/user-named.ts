import { type RawBuilder, sql, type SqlBool } from 'kysely'

import { sameText } from '../../database/text.js'

/** The ID of the user with this name, as a subquery in parentheses. */
export function userNamed(username: string): RawBuilder<number> {
  return sql<number>`(select "user".id from "user" where ${sameText(sql.ref('user.username'), username)})`
}

/** Whether a column has the ID of the user with this name. Without such a user it is false, which can be negated, not null. */
export function isUserNamed(column: string, username: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} = coalesce(${userNamed(username)}, 0)`
}
