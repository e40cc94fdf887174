/** Keys of a name that become levels of the tree; what follows them is one key. */
const MAXIMUM_DEPTH = 6

/** What was given under one name, or under one key of it. */
interface Node {
  texts: string[]
  children: Map<string, Node> | undefined
}

/**
 * Turns the pairs of a form or query into a tree: `a[]=1&a[]=2`, `filter[scope]=x`, `variables[][key]=A&variables[][value]=b`
 * (a sub-key that comes again starts the next element), `variables[0][key]=A` (API, A5). Where a name has both a text
 * and keys, the keys count. The work is proportional to the length of the pairs, whatever their names are.
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

/** `a[b][]` is `a`, `b` and the empty key of a list. A name whose first bracket is not closed is a plain one. */
function keysOf(name: string): string[] {
  let open = name.indexOf('[')
  let close = open < 0 ? -1 : name.indexOf(']', open)
  if (close < 0) return [name]
  const keys = open > 0 ? [name.slice(0, open)] : []
  while (close >= 0 && name[open] === '[') {
    if (keys.length > MAXIMUM_DEPTH) return [...keys, name.slice(open)]
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

/** By their indexes, then those without one. Indexes that nobody gave leave no hole. */
function listOf(children: Map<string, Node>): unknown[] {
  const indexed = [...children].filter(([key]) => key !== '').sort(([a], [b]) => Number(a) - Number(b))
  const appended = children.get('')
  return [...indexed.map(([, node]) => valueOf(node)), ...(appended ? elementsOf(appended) : [])]
}

/** `a[]=1&a[]=2` gives the elements one by one; `a[][][]` is a list in a list. */
function elementsOf(node: Node): unknown[] {
  return node.children ? [valueOf(node)] : node.texts
}

/** Without a prototype: there a client's `__proto__` is a name like any other. */
function recordOf(children: Map<string, Node>): Record<string, unknown> {
  const record = Object.create(null) as Record<string, unknown>
  for (const [key, node] of children) record[key] = valueOf(node)
  return record
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
      element.keys = new Set<string>()
    }
    element.keys.add(key)
    return `${list}[${element.index}]${key}`
  }
}
