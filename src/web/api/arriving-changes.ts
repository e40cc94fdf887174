import type { QueryClient, QueryKey } from '@tanstack/query-core'

type Change = (response: never) => unknown

/** Changes that arrive while a path is read, by path, for each of its reads. */
const arriving = new Map<string, Set<Change[]>>()

/** Reads a path. The response may be older than a change that was reported while it was on its way. */
export async function readWithChanges<Data>(path: string, read: () => Promise<Data>): Promise<Data> {
  const changes: Change[] = []
  const reads = arriving.get(path) ?? new Set()
  arriving.set(path, reads.add(changes))
  try {
    let known: Data = await read()
    for (const change of changes) known = change(known as never) as Data // each is of this path
    return known
  } finally {
    reads.delete(changes)
    if (reads.size === 0) arriving.delete(path)
  }
}

/** Changes what was read from a path, or is being read. */
export function change<Data>(client: QueryClient, path: string, by: (response: Data) => Data): void {
  client.setQueryData<Data>([path], (response) => (response === undefined ? undefined : by(response)))
  for (const changes of arriving.get(path) ?? []) changes.push(by)
}

/** Marks what was read below these paths as old, and reads again what is shown. */
export async function readAgain(client: QueryClient, prefixes: readonly string[]): Promise<void> {
  const isBelow = ({ queryKey }: { queryKey: QueryKey }) => {
    const [path] = queryKey
    return typeof path === 'string' && prefixes.some((prefix) => path.startsWith(prefix))
  }
  // These join the first read, which may have begun before the change.
  const first = client
    .getQueryCache()
    .findAll({ predicate: isBelow, fetchStatus: 'fetching' })
    .filter(({ state }) => state.data === undefined)
  await client.invalidateQueries({ predicate: isBelow })
  if (first.length === 0) return
  await Promise.allSettled(first.flatMap(({ promise }) => promise ?? []))
  await client.invalidateQueries({ predicate: (query) => first.includes(query) })
}
