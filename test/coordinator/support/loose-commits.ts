import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { deflateSync } from 'node:zlib'

/** IDs of the files of a commit, by name. */
type Files = ReadonlyMap<string, string>

export interface NewCommit {
  /** ID of the parent; a commit without one begins a history. */
  parent?: string
  /** Contents by name; null removes the file. */
  files: Record<string, string | null>
  message: string
  author: { name: string; email: string }
}

/**
 * Commits of files in the root folder, written to a repository without git: a commit of the API takes eight processes of
 * git, and scenes make hundreds.
 */
export class LooseCommits {
  private readonly known = new Map<string, Files>()

  constructor(private readonly repository: string) {}

  /** Writes a commit and returns its ID; undefined if the parent is not of this writer, or a file is in a folder. */
  async write({ parent, files, message, author }: NewCommit): Promise<string | undefined> {
    const before = parent === undefined ? new Map<string, string>() : this.known.get(parent)
    if (!before || Object.keys(files).some((name) => name.includes('/'))) return undefined
    const after = new Map(before)
    for (const [name, content] of Object.entries(files)) {
      if (content === null) after.delete(name)
      else after.set(name, await this.store('blob', Buffer.from(content)))
    }
    const tree = await this.store('tree', treeOf(after))
    const by = `${author.name} <${author.email}> ${Math.floor(Date.now() / 1000)} +0000`
    const parents = parent === undefined ? '' : `parent ${parent}\n`
    const head = `tree ${tree}\n${parents}author ${by}\ncommitter ${by}\n`
    const id = await this.store('commit', Buffer.from(`${head}\n${message}\n`))
    this.known.set(id, after)
    return id
  }

  /** The commit of a branch; undefined if the branch is not there, or git has packed it. */
  async headOf(branch: string): Promise<string | undefined> {
    try {
      return (await readFile(join(this.repository, 'refs/heads', branch), 'utf8')).trim()
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
  }

  private async store(kind: 'blob' | 'tree' | 'commit', content: Buffer): Promise<string> {
    const object = Buffer.concat([Buffer.from(`${kind} ${content.length}\0`), content])
    const id = createHash('sha1').update(object).digest('hex')
    const path = join(this.repository, 'objects', id.slice(0, 2), id.slice(2))
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, deflateSync(object))
    return id
  }
}

/** Git sorts the entries of a tree by the bytes of their names. */
function treeOf(files: Files): Buffer {
  const entries = [...files].map(([name, id]) => ({ name: Buffer.from(name), id: Buffer.from(id, 'hex') }))
  entries.sort((one, other) => one.name.compare(other.name))
  return Buffer.concat(
    entries.flatMap(({ name, id }) => [Buffer.from('100644 '), name, Buffer.from([0]), id]),
  )
}
