/** Maximum number of nested keys in a name; the rest of the name is one key. */
const MAX_DEPTH = 6

/** The values of one name, or of one key in it. */
interface Node {
  texts: string[]
  children: Map<string, Node> | undefined
}

/**
 * Converts the pairs of a form or query into a tree (API, A5): `a[]=1&a[]=2`, `filter[scope]=x`,
 * `variables[][key]=A&variables[][value]=b`, `variables[0][key]=A`. A repeated sub-key starts the next element in the
 * third form. If a name has both a text and keys, the keys win. The cost is proportional to the length of the pairs,
 * for any names.
 */
export function foldForm(pairs: Iterable<[string, string]>): Record<string, unknown> {
  const root = newNode()
  const number = elementNumbers()
  for (const [name, value] of pairs) {
    let node = root
    for (const key of keysOf(number(name))) node = childOf(node, key)
    node.texts.push(value)
  }
  return recordOf(root.children ?? new Map<string, Node>())
}

export function parseQuery(text: string): Record<string, unknown> {
  return text === '' ? {} : foldForm(new URLSearchParams(text))
}

/**
 * `a[b][]` becomes `a`, `b` and the empty key of a list. A name whose first bracket is not closed is taken
 * literally.
 */
function keysOf(name: string): string[] {
  let open = name.indexOf('[')
  let close = open < 0 ? -1 : name.indexOf(']', open)
  if (close < 0) return [name]
  const keys = open > 0 ? [name.slice(0, open)] : []
  while (close >= 0 && name[open] === '[') {
    if (keys.length > MAX_DEPTH) return [...keys, name.slice(open)]
    keys.push(name.slice(open + 1, close))
    open = close + 1
    close = name.indexOf(']', open)
  }
  return keys
}

function childOf(parent: Node, key: string): Node {
  parent.children ??= new Map<string, Node>()
  let child = parent.children.get(key)
  if (!child) parent.children.set(key, (child = newNode()))
  return child
}

function newNode(): Node {
  return { texts: [], children: undefined }
}

function valueOf({ texts, children }: Node): unknown {
  if (!children) return texts.length > 1 ? texts : texts[0]
  return [...children.keys()].every(isListKey) ? listOf(children) : recordOf(children)
}

/** The empty key, or an index. */
function isListKey(key: string): boolean {
  return key === '' || /^(0|[1-9]\d{0,8})$/.test(key)
}

/** Elements with an index in order, then those without. Missing indexes leave no gap. */
function listOf(children: Map<string, Node>): unknown[] {
  const indexed = [...children].filter(([key]) => key !== '').sort(([a], [b]) => Number(a) - Number(b))
  const appended = children.get('')
  return [...indexed.map(([, node]) => valueOf(node)), ...(appended ? elementsOf(appended) : [])]
}

/** `a[]=1&a[]=2` yields single elements; `a[][][]` is a list in a list. */
function elementsOf(node: Node): unknown[] {
  return node.children ? [valueOf(node)] : node.texts
}

/** Has no prototype, so that `__proto__` is an ordinary name. */
function recordOf(children: Map<string, Node>): Record<string, unknown> {
  const record = Object.create(null) as Record<string, unknown>
  for (const [key, node] of children) record[key] = valueOf(node)
  return record
}

/** Assigns an index to the elements of `name[][key]`, so that the pairs of one element stay together. */
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
      element.keys = new Set<string>()
    }
    element.keys.add(key)
    return `${list}[${element.index}]${key}`
  }
}
