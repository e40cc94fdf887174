/**
 * How far a client has received each of its topics, by the key of the topic: the version of a pipeline, or the
 * offset of a log in bytes. As text, it is the ID of each event.
 */
export type Cursor = Map<string, number>

/** Ignores parts that it does not understand, which may come from a coordinator of another version. */
export function parseCursor(text: string): Cursor {
  const cursor: Cursor = new Map()
  for (const part of text.split(';')) {
    const [, key, value] = /^([a-z]+\d*)=(\d{1,15})$/.exec(part) ?? []
    if (key !== undefined) cursor.set(key, Number(value))
  }
  return cursor
}

export function formatCursor(cursor: Cursor): string {
  return [...cursor].map(([key, value]) => `${key}=${value}`).join(';')
}
