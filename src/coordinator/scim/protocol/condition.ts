import { type Expression, sql, type SqlBool } from 'kysely'

import { apiError } from '../../http/errors.js'
import { type AttributePath, type Filter, FilterError, type FilterValue, parseFilter } from './filter.js'

/** Conditions by the attribute that is compared, such as `emails.value`, for a value that it must equal. */
export type Conditions = ReadonlyMap<string, (value: FilterValue) => Expression<SqlBool>>

/** The condition of a filter on rows; undefined without a filter. Throws 400 for one that is not supported. */
export function conditionOf(
  text: string | undefined,
  conditions: Conditions,
): Expression<SqlBool> | undefined {
  if (text === undefined || text.trim() === '') return undefined
  try {
    return translate(parseFilter(text), conditions)
  } catch (error) {
    if (!(error instanceof FilterError)) throw error
    throw apiError('scim_invalid_filter', { problem: error.message }, { cause: error })
  }
}

function translate(filter: Filter, conditions: Conditions): Expression<SqlBool> {
  switch (filter.kind) {
    case 'and':
    case 'or': {
      const parts = filter.filters.map((each) => translate(each, conditions))
      return sql<SqlBool>`(${sql.join(parts, filter.kind === 'and' ? sql` and ` : sql` or `)})`
    }
    case 'not':
      return sql<SqlBool>`not ${translate(filter.filter, conditions)}`
    case 'compare':
      if (filter.operator !== 'eq')
        throw new FilterError(`the operator ${filter.operator} is not supported here`)
      return equals(keyOf(filter.path), filter.value, conditions)
    case 'element':
      return translateElement(filter.path, conditions)
    case 'present':
      throw new FilterError('the operator pr is not supported here')
  }
}

/** `members[value eq "7"]` means `members.value eq "7"`. */
function translateElement(
  { attribute, elements }: AttributePath,
  conditions: Conditions,
): Expression<SqlBool> {
  if (elements?.kind !== 'compare' || elements.operator !== 'eq' || elements.path.sub !== undefined) {
    throw new FilterError(`elements of ${attribute} are found by one comparison with eq`)
  }
  return equals(`${attribute}.${elements.path.attribute}`, elements.value, conditions)
}

function equals(key: string, value: FilterValue, conditions: Conditions): Expression<SqlBool> {
  const condition = conditions.get(key)
  if (!condition) {
    const known = [...conditions.keys()].join(', ')
    throw new FilterError(`${key} cannot be searched for; these can: ${known}`)
  }
  return condition(value)
}

/** An account has one address, of the type `work`: Entra ID asks for `emails[type eq "work"].value`. */
function keyOf({ attribute, elements, sub }: AttributePath): string {
  const key = sub === undefined ? attribute : `${attribute}.${sub}`
  if (!elements) return key
  const isOfWork =
    elements.kind === 'compare' &&
    elements.operator === 'eq' &&
    elements.path.attribute === 'type' &&
    elements.value === 'work'
  if (!isOfWork) throw new FilterError(`elements of ${attribute} are found by type eq "work" alone`)
  return key
}

/** The number of a resource; -1, which none has, for a text that is none. */
export function idOf(value: FilterValue): number {
  return typeof value === 'string' && /^[1-9]\d{0,14}$/.test(value) ? Number(value) : -1
}

/** A text to compare with; numbers and booleans equal no text. */
export function textIn(value: FilterValue): string {
  return typeof value === 'string' ? value : ''
}
