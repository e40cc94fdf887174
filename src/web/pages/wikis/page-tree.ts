interface ListedPage {
  slug: string
  title: string
}

/** A page or folder of a wiki; a page with pages below it is both. */
export interface TreeNode {
  /** Path of the page or folder. */
  slug: string
  /** Last part of the path, with spaces in place of hyphens. */
  name: string
  isPage: boolean
  children: TreeNode[]
}

const ORDER = new Intl.Collator('en', { numeric: true })

/** The pages of a wiki in folders, by name. Pages whose name begins with `_`, such as the sidebar, are left out. */
export function pageTree(pages: readonly ListedPage[]): TreeNode[] {
  const roots: TreeNode[] = []
  const known = new Map<string, TreeNode>()
  const nodeAt = (slug: string): TreeNode => {
    const found = known.get(slug)
    if (found) return found
    const slash = slug.lastIndexOf('/')
    const node = { slug, name: nameOf(slug.slice(slash + 1)), isPage: false, children: [] }
    known.set(slug, node)
    const siblings = slash === -1 ? roots : nodeAt(slug.slice(0, slash)).children
    siblings.push(node)
    return node
  }
  for (const { slug, title } of pages) {
    if (title.startsWith('_')) continue
    const node = nodeAt(slug)
    node.isPage = true
    node.name = shownTitle(title)
  }
  const sort = (nodes: TreeNode[]) => {
    nodes.sort((one, other) => rank(one) - rank(other) || ORDER.compare(one.name, other.name))
    for (const { children } of nodes) sort(children)
  }
  sort(roots)
  return roots
}

/** The home page comes first. */
function rank({ slug }: TreeNode): number {
  return slug === 'home' ? 0 : 1
}

/** The title of a page for a heading. The page that the wiki begins with is called `home` in the API. */
export function shownTitle(title: string): string {
  return title === 'home' ? 'Home' : title
}

/** The title of a page with its folders, as a reader writes it: `Setup/First steps`. */
export function wholeTitle(slug: string): string {
  return nameOf(slug)
}

function nameOf(path: string): string {
  return path.replaceAll('-', ' ')
}
