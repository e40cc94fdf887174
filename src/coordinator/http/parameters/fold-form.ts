import qs from 'qs'

/** Elements of one array that a form or query may name. */
const MAXIMUM_ELEMENTS = 1000

/**
 * Turns the pairs of a form or query into a tree: `a[]=1&a[]=2`, `filter[scope]=x`, `variables[][key]=A&variables[][value]=b`
 * (a sub-key that comes again starts the next element), `variables[0][key]=A` (API gaps, A5). Throws `RangeError` for
 * more elements than anybody means.
 */
export function foldForm(pairs: Iterable<[string, string]>): Record<string, unknown> {
  const flat = Object.create(null) as Record<string, string | string[]>
  const number = elementNumbers()
  for (const [name, value] of pairs) {
    const key = number(name)
    const held = flat[key]
    if (held === undefined) flat[key] = value
    else if (Array.isArray(held)) held.push(value)
    else flat[key] = [held, value]
  }
  // Its types know of no repeated name, it does.
  return qs.parse(flat as Record<string, string>, {
    arrayLimit: MAXIMUM_ELEMENTS,
    parameterLimit: MAXIMUM_ELEMENTS,
    depth: 6,
    plainObjects: true,
  })
}

export function parseQuery(text: string): Record<string, unknown> {
  return text === '' ? {} : foldForm(new URLSearchParams(text))
}

/** Gives the elements of `name[][key]` their index, so that the pairs of one element stay together. */
function elementNumbers(): (name: string) => string {
  const elements = new Map<string, { index: number; keys: Set<string> }>()
  return (name) => {
    const at = name.indexOf('[][')
    if (at < 0) return name
    const list = name.slice(0, at)
    const key = name.slice(at + 2)
    const element = elements.get(list) ?? { index: 0, keys: new Set<string>() }
    elements.set(list, element)
    if (element.keys.has(key) && !key.endsWith('[]')) {
      element.index++
      element.keys.clear()
    }
    element.keys.add(key)
    return `${list}[${element.index}]${key}`
  }
}
