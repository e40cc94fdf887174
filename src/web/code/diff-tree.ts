/** A row of the tree of changed files. */
export type DiffTreeRow =
  | { kind: 'folder'; path: string; name: string; depth: number }
  | { kind: 'file'; file: number; name: string; depth: number }

interface Folder {
  path: string
  name: string
  entries: (Folder | Leaf)[]
  folders: Map<string, Folder>
}

interface Leaf {
  file: number
  name: string
}

/**
 * The rows of the changed files as a tree, in their order. A folder that contains only a folder shares its row: `src/web`.
 * @param files indices of the files, with their paths
 * @param closed paths of the folders whose content is hidden
 */
export function diffTree(
  files: readonly { file: number; path: string }[],
  closed: ReadonlySet<string>,
): DiffTreeRow[] {
  const root = folderOf('', '')
  for (const { file, path } of files) {
    const segments = path.split('/')
    const name = segments.pop() ?? ''
    let folder = root
    for (const segment of segments) folder = childOf(folder, segment)
    folder.entries.push({ file, name })
  }
  const rows: DiffTreeRow[] = []
  addRows(rows, root, 0, closed)
  return rows
}

function folderOf(path: string, name: string): Folder {
  return { path, name, entries: [], folders: new Map() }
}

function childOf(folder: Folder, name: string): Folder {
  const known = folder.folders.get(name)
  if (known) return known
  const child = folderOf(folder.path === '' ? name : `${folder.path}/${name}`, name)
  folder.folders.set(name, child)
  folder.entries.push(child)
  return child
}

function addRows(rows: DiffTreeRow[], folder: Folder, depth: number, closed: ReadonlySet<string>): void {
  for (const entry of folder.entries) {
    if (!('entries' in entry)) {
      rows.push({ kind: 'file', file: entry.file, name: entry.name, depth })
      continue
    }
    const { inner, name } = withoutSingleFolders(entry)
    rows.push({ kind: 'folder', path: inner.path, name, depth })
    if (!closed.has(inner.path)) addRows(rows, inner, depth + 1, closed)
  }
}

function withoutSingleFolders(folder: Folder): { inner: Folder; name: string } {
  let inner = folder
  let { name } = folder
  for (;;) {
    const [only] = inner.entries
    if (inner.entries.length !== 1 || only === undefined || !('entries' in only)) return { inner, name }
    inner = only
    name += `/${only.name}`
  }
}
