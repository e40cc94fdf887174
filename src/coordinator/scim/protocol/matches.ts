import { type Filter, FilterError, type FilterValue, type Operator } from './filter.js'

/** Whether an element of a list meets a filter, by its values. Throws `FilterError` for what does not apply to elements. */
export function matches(filter: Filter, element: Readonly<Record<string, unknown>>): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.filters.every((each) => matches(each, element))
    case 'or':
      return filter.filters.some((each) => matches(each, element))
    case 'not':
      return !matches(filter.filter, element)
    case 'present':
      return hasValue(element[filter.path.attribute])
    case 'compare':
      if (filter.path.sub !== undefined) throw new FilterError('elements of lists have no such attribute')
      return compare(element[filter.path.attribute], filter.operator, filter.value)
    case 'element':
      throw new FilterError('elements of lists have no lists themselves')
  }
}

function hasValue(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}

/** Texts are compared without regard to case (RFC 7643, section 2.2: `caseExact` is false by default). */
function compare(value: unknown, operator: Operator, wanted: FilterValue): boolean {
  const [left, right] = [fold(value), fold(wanted)]
  switch (operator) {
    case 'eq':
      return left === right
    case 'ne':
      return left !== right
    case 'co':
      return bothTexts(left, right, (text, part) => text.includes(part))
    case 'sw':
      return bothTexts(left, right, (text, part) => text.startsWith(part))
    case 'ew':
      return bothTexts(left, right, (text, part) => text.endsWith(part))
    default:
      throw new FilterError(`the operator ${operator} is not supported`)
  }
}

function fold(value: unknown): unknown {
  return typeof value === 'string' ? value.toLowerCase() : (value ?? null)
}

function bothTexts(left: unknown, right: unknown, test: (text: string, part: string) => boolean): boolean {
  return typeof left === 'string' && typeof right === 'string' && test(left, right)
}
