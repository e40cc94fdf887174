import { readdir, readFile, readlink } from 'node:fs/promises'

/** Ids of the processes at work in a repository: git changes into it to serve it, and its children stay there. */
export async function processesIn(gitDir: string): Promise<number[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const places = await Promise.all(ids.map((id) => readlink(`/proc/${id}/cwd`).catch(() => '')))
  return ids.filter((_, index) => places[index]?.startsWith(gitDir)).map(Number)
}

/** Bytes that a process holds for itself; pages of files it has mapped are the system's to take back. */
export async function privateBytes(id: number): Promise<number> {
  const status = await readFile(`/proc/${id}/status`, 'utf8').catch(() => '')
  return Number(/^RssAnon:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024
}
